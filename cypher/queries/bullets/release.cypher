// Takes their hashes from old holders that will hold another one or none, where the bullets are put in several
// requests: a text may go from a bullet of a later one to a bullet of an earlier one.
//
// Parameters:
//   $bullets: of each bullet its `key`, and the `hash_key` that it will have, if any
// Columns:
//   none
// Locks: the bullets

UNWIND $bullets AS row
MATCH (b:Bullet {hindlore_key: row.hindlore_key})
WHERE b.hindlore_hash_key <> row.hindlore_hash_key OR row.hindlore_hash_key IS NULL
REMOVE b.hindlore_hash_key
