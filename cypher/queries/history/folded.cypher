// Reads the marks of folded deltas.
//
// Parameters:
//   $memory: key of the memory
// Columns:
//   bucket: number of a bucket
//   marks: its marks
// Locks: none; the caller holds the memory's lock

MATCH (s:ContextScope {hindlore_key: $memory})-[:HAS_FOLDED]->(f:FoldedDeltas)
RETURN f.bucket AS bucket, f.marks AS marks
ORDER BY bucket
