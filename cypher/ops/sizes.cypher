// How much does each tenant hold?
//
// Looks at everything that the server holds, all tenants included. Counts by walking from each learner, so it
// takes a while on a large database.
//
// Parameters:
//   :param limit => 25
// Columns:
//   tenant: the tenant
//   learners: its learners
//   memories: their memories
//   bullets: their bullets, whatever became of them
//   active: bullets that can be retrieved
//   deltas: deltas, folded ones among them
//   retrievals: records of retrievals
//   checkpoints: checkpoints
//   largest: active bullets of its largest memory
//   lessons: lessons, whatever became of them
//   runs: runs
//   errors: errors that the runs raised

MATCH (l:Learner)
WHERE l.tenant >= '' AND l.hindlore_key IS NOT NULL
CALL (l) {
  OPTIONAL MATCH (l)-[:HAS_SCOPE]->(s:ContextScope)
  WITH s, COUNT { (s)-[:HOLDS]->() } AS bullets, COUNT { (s)-[:HOLDS]->(b:Bullet) WHERE b.status = 'active' } AS active,
    COUNT { (s)-[:HAS_RETRIEVAL]->() } AS retrievals, COUNT { (s)-[:HAS_CHECKPOINT]->() } AS checkpoints
  RETURN count(s) AS memories, sum(bullets) AS bullets, sum(active) AS active, sum(s.revision + 1) AS deltas,
    sum(retrievals) AS retrievals, sum(checkpoints) AS checkpoints, max(active) AS largest
}
WITH l, memories, bullets, active, deltas, retrievals, checkpoints, largest,
  COUNT { (l)-[:HAS_LESSON]->() } AS lessons, COUNT { (l)-[:HAS_RUN]->() } AS runs,
  COUNT { (l)-[:HAS_RUN]->()-[:RAISED]->() } AS errors
RETURN l.tenant AS tenant, sum(CASE l.id WHEN '' THEN 0 ELSE 1 END) AS learners, sum(memories) AS memories, sum(bullets) AS bullets,
  sum(active) AS active, sum(deltas) AS deltas, sum(retrievals) AS retrievals, sum(checkpoints) AS checkpoints,
  max(largest) AS largest, sum(lessons) AS lessons, sum(runs) AS runs, sum(errors) AS errors
ORDER BY bullets DESC, tenant LIMIT toInteger($limit)
