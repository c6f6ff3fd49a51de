// Creates or replaces bullets. Old holders release their hashes first, so that
// a text can go from one bullet to another whichever of the two is written first.
//
// Parameters:
//   $memory: key of the memory
//   $bullets: all properties of each bullet
// Columns:
//   none
// Locks: the memory and the bullets

MATCH (s:ContextScope {mnemograph_key: $memory})
CALL () {
  UNWIND $bullets AS row
  MATCH (b:Bullet {mnemograph_key: row.mnemograph_key})
  WHERE b.mnemograph_hash_key <> row.mnemograph_hash_key OR row.mnemograph_hash_key IS NULL
  REMOVE b.mnemograph_hash_key
}
UNWIND $bullets AS row
MERGE (b:Bullet {mnemograph_key: row.mnemograph_key})
MERGE (s)-[:HOLDS]->(b)
SET b = row
