// Begins a copy into a memory that is there: nobody sees it from now on until the copy has ended.
//
// Parameters:
//   $memory: key of the memory
//   $copying: who copies
// Columns:
//   begun: 1
// Locks: the memory

MATCH (s:ContextScope {key: $memory})
SET s.lock = $memory, s.copying = $copying, s.incarnation = $copying
RETURN 1 AS begun
