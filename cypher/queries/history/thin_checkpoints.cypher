// Takes all checkpoints of a memory away but the newest.
//
// Parameters:
//   $memory: key of the memory
//   $kept: how many stay
// Columns:
//   none
// Locks: the memory, the checkpoints

MATCH (s:ContextScope {key: $memory})-[:HAS_CHECKPOINT]->(c:Checkpoint)
WITH c ORDER BY c.clock DESC SKIP $kept
DETACH DELETE c
