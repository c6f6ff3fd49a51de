// Deletes all but the newest checkpoints of a memory.
//
// Parameters:
//   $memory: key of the memory
//   $kept: number of checkpoints to keep
// Columns:
//   none
// Locks: the memory, the checkpoints, their pieces

MATCH (s:ContextScope {hindlore_key: $memory})-[:HAS_CHECKPOINT]->(c:Checkpoint)
WITH c ORDER BY c.clock DESC SKIP $kept
OPTIONAL MATCH (c)-[:HAS_PIECE]->(p:CheckpointPiece)
DETACH DELETE p, c
