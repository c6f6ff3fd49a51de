// Ends a copy into a memory, which becomes visible again.
//
// Parameters:
//   $memory: key of the memory
//   $copying: token of the copy
//   $incarnation: incarnation of the memory
// Columns:
//   ended: 1
// Locks: the memory

MATCH (s:ContextScope {hindlore_key: $memory})
WHERE s.copying = $copying
SET s.incarnation = $incarnation
REMOVE s.copying
RETURN 1 AS ended
