// Counts what is kept of a learner, and the characters of its longest texts.
//
// Parameters:
//   $owner: key of the learner
// Columns:
//   kind: the kind
//   count: number kept
//   characters: characters of the texts
// Locks: none

MATCH (l:Learner {hindlore_key: $owner})
CALL (l) {
  OPTIONAL MATCH (l)-[:HAS_SCOPE]->(:ContextScope)-[:HOLDS]->(b:Bullet)
  RETURN 'bullets' AS kind, count(b) AS count, sum(size(b.content)) AS characters
  UNION ALL
  MATCH (l)-[:HAS_SCOPE]->(s:ContextScope)
  MATCH (d:Delta) WHERE d.hindlore_memory = s.hindlore_key AND d.revision >= 0
  RETURN 'deltas' AS kind, count(d) AS count, sum(size(d.body) + size(d.receipt)) AS characters
  UNION ALL
  OPTIONAL MATCH (l)-[:HAS_SCOPE]->(:ContextScope)-[:HAS_RETRIEVAL]->(r:Retrieval)
  RETURN 'retrievals' AS kind, count(r) AS count, sum(size(r.query)) AS characters
  UNION ALL
  OPTIONAL MATCH (l)-[:HAS_SCOPE]->(:ContextScope)-[:HAS_CHECKPOINT]->(c:Checkpoint)
  OPTIONAL MATCH (c)-[:HAS_PIECE]->(p:CheckpointPiece)
  RETURN 'checkpoints' AS kind, count(DISTINCT c) AS count, sum(size(p.body)) AS characters
  UNION ALL
  OPTIONAL MATCH (l)-[:HAS_LESSON]->(n:Lesson)
  RETURN 'lessons' AS kind, count(n) AS count, sum(size(n.rule)) AS characters
  UNION ALL
  OPTIONAL MATCH (l)-[:HAS_RUN]->(n:Run)
  RETURN 'runs' AS kind, count(n) AS count, sum(size(n.intent)) AS characters
  UNION ALL
  OPTIONAL MATCH (l)-[:HAS_RUN]->(:Run)-[:STEP]->(n:RunStep)
  OPTIONAL MATCH (n)-[:SAYS]->(b:StepBody)
  WITH count(n) AS count, collect(DISTINCT b) AS bodies
  RETURN 'steps' AS kind, count, reduce(all = 0, b IN bodies | all + size(b.action) + size(b.description)) AS characters
  UNION ALL
  OPTIONAL MATCH (l)-[:HAS_RUN]->(:Run)-[:RAISED]->(n:ErrorEvent)
  RETURN 'errors' AS kind, count(n) AS count,
    sum(size(n.error) + size(n.state) + size(n.action) + size(n.state_after) + size(n.reason)) AS characters
  UNION ALL
  OPTIONAL MATCH (l)-[:HAS_RUN]->(:Run)-[a:ACTIVATED]->(:Lesson)
  RETURN 'activations' AS kind, count(a) AS count, 0 AS characters
  UNION ALL
  OPTIONAL MATCH (n:Decision) WHERE n.hindlore_key STARTS WITH $owner
  RETURN 'decisions' AS kind, count(n) AS count, sum(size(n.body)) AS characters
  UNION ALL
  OPTIONAL MATCH (l)-[:HAS_OPERATION]->(n:Operation)
  RETURN 'receipts' AS kind, count(n) AS count, sum(size(n.answer)) AS characters
}
RETURN kind, count, characters
