// Writes counts of compacted records.
//
// Parameters:
//   $memory: key of the memory
//   $counts: key `bullet` and counts `usage` of each
// Columns:
//   written: number of counts whose bullet exists
// Locks: the memory, the bullets

UNWIND $counts AS row
MATCH (b:Bullet {hindlore_key: row.bullet})<-[h:HOLDS]-(s:ContextScope)
WITH row, h, s.hindlore_key AS memory
WHERE memory = $memory
SET h += row.usage
RETURN count(h) AS written
