// Begins a copy into an existing memory, which is invisible until the copy ends.
//
// Parameters:
//   $memory: key of the memory
//   $copying: token of the copy
// Columns:
//   begun: 1
// Locks: the memory

MATCH (s:ContextScope {hindlore_key: $memory})
SET s.lock = $memory, s.copying = $copying, s.incarnation = $copying
RETURN 1 AS begun
