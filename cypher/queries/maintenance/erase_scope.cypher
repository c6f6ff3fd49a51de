// Deletes a memory that has no bullets and no events any more, with its checkpoints.
//
// Parameters:
//   $memory: key of the memory
// Columns:
//   none
// Locks: everything that it deletes

MATCH (s:ContextScope {mnemograph_key: $memory})
OPTIONAL MATCH (s)-[:HAS_CHECKPOINT]->(c:Checkpoint)
OPTIONAL MATCH (c)-[:HAS_PIECE]->(p:CheckpointPiece)
DETACH DELETE p, c, s
