// Creates or replaces bullets. Old holders release their hashes first, so that
// a text can go from one bullet to another whichever of the two is written first.
//
// Parameters:
//   $memory: key of the memory
//   $bullets: all properties of each bullet
// Columns:
//   none
// Locks: the memory and the bullets

MATCH (s:ContextScope {key: $memory})
CALL () {
  UNWIND $bullets AS row
  MATCH (b:Bullet {key: row.key})
  WHERE b.hash_key <> row.hash_key OR row.hash_key IS NULL
  REMOVE b.hash_key
}
UNWIND $bullets AS row
MERGE (b:Bullet {key: row.key})
MERGE (s)-[:HOLDS]->(b)
SET b = row
