// Reads the counts of one receipt.
//
// Parameters:
//   $key: its id
// Columns:
//   counts: how much was destroyed, by kind
// Locks: none

MATCH (e:Erasure {hindlore_key: $key})
RETURN e.counts AS counts
