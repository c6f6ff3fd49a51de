// Reads the head of a memory inside a transaction that holds its learner.
//
// Parameters:
//   $memory: key of the memory
// Columns:
//   head: the properties of the memory
// Locks: none; the caller holds the learner's lock

MATCH (s:ContextScope {hindlore_key: $memory})
RETURN properties(s) AS head
