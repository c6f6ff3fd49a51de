// Deletes links between bullets that no event made.
//
// Parameters:
//   $links: of each the keys `from` and `to`, and its `kind`
// Columns:
//   none
// Locks: the links

UNWIND $links AS row
MATCH (a:Bullet {mnemograph_key: row.from})-[l]->(b:Bullet {mnemograph_key: row.to})
WHERE l.kind = row.kind AND l.mnemograph_memory IS NOT NULL
DELETE l
