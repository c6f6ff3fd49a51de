// Reads the newest checkpoint at or below a clock.
//
// Parameters:
//   $memory: key of the memory
//   $clock: the clock
//   $limit: largest number of rows, newest first
// Columns:
//   key: key of a checkpoint
//   checkpoint: its properties
// Locks: none; the caller holds the memory's lock

MATCH (s:ContextScope {hindlore_key: $memory})-[:HAS_CHECKPOINT]->(c:Checkpoint)
WHERE c.clock <= $clock
RETURN c.hindlore_key AS key, properties(c) AS checkpoint
ORDER BY c.clock DESC LIMIT $limit
