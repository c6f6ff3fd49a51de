// Deletes a memory that has no bullets and no events any more, with its policy and its checkpoints.
//
// Parameters:
//   $memory: key of the memory
// Columns:
//   none
// Locks: everything that it deletes

MATCH (s:ContextScope {hindlore_key: $memory})
OPTIONAL MATCH (s)-[:HAS_CHECKPOINT]->(c:Checkpoint)
OPTIONAL MATCH (c)-[:HAS_PIECE]->(p:CheckpointPiece)
OPTIONAL MATCH (y:Policy {hindlore_key: $memory})
DETACH DELETE p, c, y, s
