// Deletes links between bullets that no event made.
//
// Parameters:
//   $links: of each the keys `from` and `to`, and its `kind`
// Columns:
//   none
// Locks: the links

UNWIND $links AS row
MATCH (a:Bullet {hindlore_key: row.from})-[l]->(b:Bullet {hindlore_key: row.to})
WHERE l.kind = row.kind AND l.hindlore_memory IS NOT NULL
DELETE l
