// Deletes a memory that has no bullets and no events any more, with its policy, its checkpoints and the marks of its
// folded deltas.
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
OPTIONAL MATCH (s)-[:HAS_FOLDED]->(f:FoldedDeltas)
DETACH DELETE p, c, y, f, s
