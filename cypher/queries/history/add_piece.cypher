// Adds the next piece of a checkpoint.
//
// Parameters:
//   $checkpoint: key of the checkpoint
//   $piece: the properties of the piece
// Columns:
//   none
// Locks: the checkpoint; the caller holds the memory's lock

MATCH (c:Checkpoint {hindlore_key: $checkpoint})
CREATE (c)-[:HAS_PIECE]->(p:CheckpointPiece)
SET p = $piece
