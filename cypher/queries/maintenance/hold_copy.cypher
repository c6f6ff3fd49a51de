// Locks a memory during a copy into it.
//
// Parameters:
//   $memory: key of the memory
//   $copying: token of the copy
// Columns:
//   held: 1
// Locks: the memory

MATCH (s:ContextScope {hindlore_key: $memory})
SET s.lock = $memory
WITH s
WHERE s.copying = $copying
RETURN 1 AS held
