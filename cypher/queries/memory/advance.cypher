// Moves a memory to its position after a commit.
//
// Parameters:
//   $memory: key of the memory
//   $head: the properties that changed
// Columns:
//   none
// Locks: the memory

MATCH (s:ContextScope {hindlore_key: $memory})
SET s += $head
