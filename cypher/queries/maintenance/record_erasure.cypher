// Writes the receipt of an erase down, or adds to its counts where a part of the erase was done before.
//
// Parameters:
//   $key: its id
//   $properties: the other properties, without counts
//   $counts: how much was destroyed now, by kind
// Columns:
//   counts: how much was destroyed in all, by kind
// Locks: the receipt

MERGE (e:Erasure {hindlore_key: $key})
ON CREATE SET e += $properties
SET e.counts = [at IN range(0, size($counts) - 1) | $counts[at] + coalesce(e.counts[at], 0)]
RETURN e.counts AS counts
