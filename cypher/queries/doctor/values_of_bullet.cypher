// Reads all properties of a bullet, to compare their types.
//
// Parameters:
//   $bullet: key of the bullet
// Columns:
//   bullet: the properties of the bullet
// Locks: none

MATCH (b:Bullet {hindlore_key: $bullet})
RETURN properties(b) AS bullet
