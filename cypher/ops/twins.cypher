// Is anything there twice?
//
// Looks at everything that the server holds, all tenants included. Scans whole labels on purpose: the
// constraints are on derived keys, and what was made by hand may carry a wrong one. Every row is damage, none
// is the good answer.
//
// Parameters:
//   :param limit => 100
// Columns:
//   label: label of the nodes
//   tenant: their tenant
//   learner: their learner
//   name: what they share: learner, scope, id or name
//   nodes: how many they are

CALL () {
  MATCH (n:Learner)
  RETURN 'Learner' AS label, n.tenant AS tenant, n.learner AS learner, n.id AS name, n
  UNION ALL
  MATCH (n:ContextScope)
  RETURN 'ContextScope' AS label, n.tenant AS tenant, n.learner AS learner, n.scope AS name, n
  UNION ALL
  MATCH (n:Bullet)
  RETURN 'Bullet' AS label, n.tenant AS tenant, n.learner AS learner, n.scope + ' / ' + n.id AS name, n
  UNION ALL
  MATCH (n:Delta)
  RETURN 'Delta' AS label, n.tenant AS tenant, n.learner AS learner, n.scope + ' / ' + n.id AS name, n
  UNION ALL
  MATCH (n:Tag)
  RETURN 'Tag' AS label, n.tenant AS tenant, n.learner AS learner, n.name AS name, n
  UNION ALL
  MATCH (n:Topic)
  RETURN 'Topic' AS label, n.tenant AS tenant, n.learner AS learner, n.name AS name, n
  UNION ALL
  MATCH (n:Concept)
  RETURN 'Concept' AS label, n.tenant AS tenant, n.learner AS learner, n.name AS name, n
}
WITH label, tenant, learner, name, count(n) AS nodes
WHERE nodes > 1 AND tenant IS NOT NULL
RETURN label, tenant, learner, name, nodes
ORDER BY label, tenant, learner, name LIMIT toInteger($limit)
