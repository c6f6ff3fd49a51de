// What hangs where it does not belong, or on nothing?
//
// Looks at everything that the server holds, all tenants included. Scans whole labels on purpose, since what
// hangs on nothing is reached in no other way: not for a busy server. Every row is damage, none is the good
// answer.
//
// Parameters:
//   :param limit => 100
// Columns:
//   what: what is wrong
//   label: label of the node
//   tenant: its tenant
//   learner: its learner
//   scope: its memory
//   id: its id, or its name

CALL () {
  MATCH (n:Bullet)
  WHERE NOT EXISTS { (s:ContextScope)-[:HOLDS]->(n) WHERE s.hindlore_key = n.hindlore_memory }
  RETURN n, 'bullet without its memory' AS what
  UNION ALL
  MATCH (n:Event)
  WHERE NOT EXISTS { (s:ContextScope)-[:HAS_RETRIEVAL|HISTORY]->(n) WHERE s.hindlore_key = n.hindlore_memory }
    AND NOT EXISTS { (p:Delta)-[:NEXT]->(n) WHERE p.hindlore_memory = n.hindlore_memory }
  RETURN n, 'event without its memory' AS what
  UNION ALL
  MATCH (n:ContextScope)
  WHERE NOT EXISTS { (l:Learner)-[:HAS_SCOPE]->(n) WHERE l.hindlore_key = n.hindlore_owner }
  RETURN n, 'memory without its learner' AS what
  UNION ALL
  MATCH (n:Bullet)
  WHERE EXISTS { (n)-[:FOLLOWS|SIMILAR_TO|CONFLICTS_WITH|MERGED_INTO|SUPERSEDES|RECONCILED_WITH|CONSOLIDATED_FROM]-(m) WHERE m.hindlore_memory <> n.hindlore_memory }
    OR EXISTS { (n)<-[:ADDED|CHANGED|MERGED|ARCHIVED|REJECTED|RETURNED]-(e) WHERE e.hindlore_memory <> n.hindlore_memory }
  RETURN n, 'tied to another memory' AS what
  UNION ALL
  MATCH (n:Bullet)
  WHERE EXISTS { (n)-[:TAGGED|ABOUT|MENTIONS]->(t) WHERE t.tenant <> n.tenant OR t.learner <> n.learner }
  RETURN n, 'label of another learner' AS what
  UNION ALL
  MATCH (n:Bullet)
  WHERE n.merged_into IS NOT NULL AND NOT EXISTS { (n)-[:MERGED_INTO]->(m) WHERE m.id = n.merged_into }
  RETURN n, 'merged into what is not there' AS what
  UNION ALL
  MATCH (n:Lesson|Run|Fingerprint)
  WHERE NOT EXISTS { (l:Learner)-[:HAS_LESSON|HAS_RUN|HAS_FINGERPRINT]->(n) WHERE l.tenant = n.tenant AND l.id = n.learner }
  RETURN n, 'learned by nobody' AS what
  UNION ALL
  MATCH (n:ErrorEvent)
  WHERE NOT EXISTS { (r:Run)-[:RAISED]->(n) } OR NOT EXISTS { (n)-[:MATCHES]->(f:Fingerprint) }
  RETURN n, 'error without its run or its fingerprint' AS what
  UNION ALL
  MATCH (n:Lesson|Run|ErrorEvent)
  WHERE EXISTS { (n)-[:TRIGGERED_BY|APPLIES_TO|TAGGED|MATCHES|MET|RAISED|ACTIVATED|CONFLICTS_WITH]-(m)
    WHERE m.tenant <> n.tenant OR m.learner <> n.learner }
  RETURN n, 'tied to what another learner learned' AS what
}
WITH n, what
WHERE n.tenant IS NOT NULL
RETURN what, head([label IN labels(n) WHERE label <> 'Event']) AS label, n.tenant AS tenant, n.learner AS learner,
  n.scope AS scope, coalesce(n.id, n.title) AS id
ORDER BY what, tenant, learner, scope, id LIMIT toInteger($limit)
