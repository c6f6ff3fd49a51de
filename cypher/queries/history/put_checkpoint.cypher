// Writes a checkpoint, in place of one at the same clock.
//
// Parameters:
//   $memory: key of the memory
//   $checkpoint: the properties of the checkpoint
// Columns:
//   none
// Locks: the memory, the checkpoint

MATCH (s:ContextScope {key: $memory})
MERGE (c:Checkpoint {key: $checkpoint.key})
MERGE (s)-[:HAS_CHECKPOINT]->(c)
SET c = $checkpoint
