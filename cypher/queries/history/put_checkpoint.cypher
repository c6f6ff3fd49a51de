// Writes a checkpoint without its pieces, replacing one at the same clock.
//
// Parameters:
//   $memory: key of the memory
//   $checkpoint: the properties of the checkpoint
// Columns:
//   none
// Locks: the memory, the checkpoint, its old pieces

MATCH (s:ContextScope {hindlore_key: $memory})
MERGE (c:Checkpoint {hindlore_key: $checkpoint.hindlore_key})
MERGE (s)-[:HAS_CHECKPOINT]->(c)
SET c = $checkpoint
WITH c
MATCH (c)-[:HAS_PIECE]->(old:CheckpointPiece)
DETACH DELETE old
