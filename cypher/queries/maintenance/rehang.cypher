// Hangs on a learner and on a memory again what names them.
//
// Parameters:
//   $memory: key of the memory
//   $owner: key of its learner
// Columns:
//   none
// Locks: the learner, and what is hung on it

MATCH (l:Learner {hindlore_key: $owner})
CALL (l) {
  MATCH (s:ContextScope)
  WHERE s.hindlore_owner = $owner
  MERGE (l)-[:HAS_SCOPE]->(s)
}
CALL (l) {
  MATCH (n:Lesson)
  WHERE n.hindlore_key STARTS WITH $owner
  MERGE (l)-[:HAS_LESSON]->(n)
}
CALL (l) {
  MATCH (n:Run)
  WHERE n.hindlore_key STARTS WITH $owner
  MERGE (l)-[:HAS_RUN]->(n)
}
CALL (l) {
  MATCH (n:Fingerprint)
  WHERE n.hindlore_key STARTS WITH $owner
  MERGE (l)-[:HAS_FINGERPRINT]->(n)
}
CALL (l) {
  MATCH (n:Operation)
  WHERE n.hindlore_key STARTS WITH $owner
  MERGE (l)-[:HAS_OPERATION]->(n)
}
CALL () {
  MATCH (s:ContextScope {hindlore_key: $memory})
  MATCH (c:Checkpoint)
  WHERE c.hindlore_memory = $memory
  MERGE (s)-[:HAS_CHECKPOINT]->(c)
}
CALL () {
  MATCH (s:ContextScope {hindlore_key: $memory})
  MATCH (f:FoldedDeltas)
  WHERE f.hindlore_memory = $memory
  MERGE (s)-[:HAS_FOLDED]->(f)
}
