// Counts what has lost the memory or the learner that it should hang on. Looks at whole labels on purpose: what
// hangs on nothing is reached in no other way.
//
// Parameters:
//   $limit: largest number of rows
// Columns:
//   tenant: the tenant that the records name
//   learner: the learner that they name
//   scope: the memory that they name, where they name one
//   lacking: `memory` or `learner`
//   nodes: number of records
// Locks: none

CALL () {
  MATCH (n:Bullet)
  WHERE n.hindlore_memory IS NOT NULL
    AND NOT EXISTS { MATCH (s:ContextScope) WHERE s.hindlore_key = n.hindlore_memory }
  RETURN n, 'memory' AS lacking
  UNION ALL
  MATCH (n:Event)
  WHERE n.hindlore_memory IS NOT NULL
    AND NOT EXISTS { MATCH (s:ContextScope) WHERE s.hindlore_key = n.hindlore_memory }
  RETURN n, 'memory' AS lacking
  UNION ALL
  MATCH (n:Checkpoint)
  WHERE n.hindlore_memory IS NOT NULL
    AND NOT EXISTS { MATCH (s:ContextScope) WHERE s.hindlore_key = n.hindlore_memory }
  RETURN n, 'memory' AS lacking
  UNION ALL
  MATCH (n:ContextScope|Tag|Topic|Concept)
  WHERE n.hindlore_owner IS NOT NULL
    AND NOT EXISTS { MATCH (l:Learner) WHERE l.hindlore_key = n.hindlore_owner }
  RETURN n, 'learner' AS lacking
  UNION ALL
  MATCH (n:Record)
  WHERE n.tenant IS NOT NULL AND n.learner IS NOT NULL
    AND NOT EXISTS { MATCH (l:Learner) WHERE l.tenant = n.tenant AND l.id = n.learner }
  RETURN n, 'learner' AS lacking
  UNION ALL
  MATCH (n:Lesson|Run|RunStep|StepBody|ErrorEvent|Fingerprint|LessonSource|Decision|Review|Operation)
  WHERE n.hindlore_key IS NOT NULL
    AND NOT EXISTS { MATCH (l:Learner) WHERE l.tenant = n.tenant AND l.id = n.learner }
  RETURN n, 'learner' AS lacking
}
RETURN coalesce(n.tenant, '') AS tenant, coalesce(n.learner, '') AS learner, n.scope AS scope, lacking,
  count(n) AS nodes
ORDER BY tenant, learner, scope, lacking LIMIT $limit
