// Reads pieces of a checkpoint in order.
//
// Parameters:
//   $checkpoint: key of the checkpoint
//   $after: number of the last piece that was read, -1 for none
//   $limit: largest number of rows
// Columns:
//   at: number of the piece
//   piece: the properties of a piece
// Locks: none; the caller holds the memory's lock

MATCH (c:Checkpoint {hindlore_key: $checkpoint})-[:HAS_PIECE]->(p:CheckpointPiece)
WHERE p.at > $after
RETURN p.at AS at, properties(p) AS piece
ORDER BY at LIMIT $limit
