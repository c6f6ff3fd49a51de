// Takes all checkpoints of a memory away but the newest.
//
// Parameters:
//   $memory: key of the memory
//   $kept: how many stay
// Columns:
//   none
// Locks: the memory, the checkpoints, their pieces

MATCH (s:ContextScope {key: $memory})-[:HAS_CHECKPOINT]->(c:Checkpoint)
WITH c ORDER BY c.clock DESC SKIP $kept
OPTIONAL MATCH (c)-[:HAS_PIECE]->(p:CheckpointPiece)
DETACH DELETE p, c
