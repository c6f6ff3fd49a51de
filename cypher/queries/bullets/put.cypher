// Creates or replaces bullets. Old holders release their hashes first, so that
// a text can go from one bullet to another whichever of the two is written first.
//
// Parameters:
//   $memory: key of the memory
//   $bullets: all properties of each bullet
// Columns:
//   none
// Locks: the memory and the bullets

MATCH (s:ContextScope {hindlore_key: $memory})
CALL () {
  UNWIND $bullets AS row
  MATCH (b:Bullet {hindlore_key: row.hindlore_key})
  WHERE b.hindlore_hash_key <> row.hindlore_hash_key OR row.hindlore_hash_key IS NULL
  REMOVE b.hindlore_hash_key
}
UNWIND $bullets AS row
MERGE (b:Bullet {hindlore_key: row.hindlore_key})
MERGE (s)-[:HOLDS]->(b)
SET b = row
