// Reads all properties of all bullets of a memory, to compare their types. Finds them by the beginning of their keys: a
// hand may have changed the other properties by which bullets are found.
//
// Parameters:
//   $memory: key of the memory
// Columns:
//   bullet: the properties of a bullet
// Locks: none

MATCH (b:Bullet)
WHERE b.hindlore_key STARTS WITH $memory
RETURN properties(b) AS bullet
