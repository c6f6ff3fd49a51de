// Reads all rows of a learner's lessons.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
// Columns:
//   sort: the label or the type of what the row is
//   row: its properties, those of a step with that of its body in `said`
// Locks: none; the caller holds the learner's lock

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  MATCH (n:Fingerprint) WHERE n.hindlore_key STARTS WITH $owner
  RETURN labels(n)[0] AS sort, properties(n) AS row
  UNION ALL
  MATCH (n:Run) WHERE n.hindlore_key STARTS WITH $owner AND n.started_at IS NOT NULL
  RETURN 'Run' AS sort, properties(n) AS row
  UNION ALL
  MATCH (n:RunStep) WHERE n.hindlore_key STARTS WITH $owner
  RETURN 'RunStep' AS sort, n {
    .*,
    said: head(COLLECT {
      MATCH (n)-[:SAYS]->(b:StepBody)
      RETURN b { .action, .description, .metadata }
    })
  } AS row
  UNION ALL
  MATCH (n:ErrorEvent) WHERE n.hindlore_key STARTS WITH $owner
  RETURN labels(n)[0] AS sort, properties(n) AS row
  UNION ALL
  MATCH (n:Lesson) WHERE n.hindlore_key STARTS WITH $owner
  RETURN labels(n)[0] AS sort, properties(n) AS row
  UNION ALL
  MATCH (n:LessonSource) WHERE n.hindlore_key STARTS WITH $owner
  RETURN labels(n)[0] AS sort, properties(n) AS row
  UNION ALL
  MATCH (n:Decision) WHERE n.hindlore_key STARTS WITH $owner
  RETURN labels(n)[0] AS sort, properties(n) AS row
  UNION ALL
  MATCH (n:Review) WHERE n.hindlore_key STARTS WITH $owner
  RETURN labels(n)[0] AS sort, properties(n) AS row
  UNION ALL
  MATCH (n:Operation) WHERE n.hindlore_key STARTS WITH $owner
  RETURN labels(n)[0] AS sort, properties(n) AS row
  UNION ALL
  MATCH ()-[r:CONFLICTS_WITH]->() WHERE r.hindlore_pair STARTS WITH $owner
  RETURN type(r) AS sort, properties(r) AS row
  UNION ALL
  MATCH ()-[r:ACTIVATED]->() WHERE r.hindlore_key STARTS WITH $owner
  RETURN type(r) AS sort, properties(r) AS row
}
RETURN sort, row
