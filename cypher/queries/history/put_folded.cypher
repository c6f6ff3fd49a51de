// Appends the marks of folded deltas to their buckets, and starts the chain of a memory again at the first delta that is
// kept after the creation.
//
// Parameters:
//   $memory: key of the memory
//   $first: revision of that delta
//   $buckets: `marks` to append, and the properties `new` of a missing bucket
// Columns:
//   written: number of buckets
// Locks: the memory, the buckets, the delta

MATCH (s:ContextScope {hindlore_key: $memory})
CALL (s) {
  MATCH (d:Delta)
  WHERE d.hindlore_memory = $memory AND d.revision = $first
  MERGE (s)-[:HISTORY]->(d)
}
UNWIND $buckets AS row
MERGE (f:FoldedDeltas {hindlore_key: row.new.hindlore_key})
ON CREATE SET f += row.new
MERGE (s)-[:HAS_FOLDED]->(f)
SET f.marks = coalesce(f.marks, '') + row.marks
RETURN count(f) AS written
