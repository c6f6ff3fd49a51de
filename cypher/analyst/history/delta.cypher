// What exactly did one delta do?
//
// Name it by its revision. What a bullet was before stands in the delta, so that it can be undone.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param revision => 1
//   :param limit => 25
// Columns:
//   change: ADDED, CHANGED, MERGED, ARCHIVED or REJECTED
//   bullet: its id
//   content: its text now
//   content_before: its text before, where it was another
//   helpful: votes for it that this delta brought
//   harmful: votes against it that this delta brought
//   delta: id of the delta
//   reasoning: why, in the words of its author

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (d:Delta)
WHERE d.hindlore_memory = s.hindlore_key AND d.revision = $revision
MATCH (d)-[c:ADDED|CHANGED|MERGED|ARCHIVED|REJECTED]->(b:Bullet)
WITH d, c, b, replace(split(split(c.before, '"content":"')[1], '","content_hash":')[0], '\\"', '"') AS before
RETURN type(c) AS change, b.id AS bullet, b.content AS content,
  CASE WHEN NOT c.before CONTAINS '"content_hash":"' + b.content_hash + '"' THEN before END AS content_before,
  c.helpful AS helpful, c.harmful AS harmful, d.id AS delta, d.reasoning AS reasoning
ORDER BY change, b.position LIMIT toInteger($limit)
