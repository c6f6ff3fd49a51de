// Reads all properties of all bullets of a memory, those without a tick among them, to compare their types. Looks at a
// whole label on purpose: a hand may have taken away what the index leads by.
//
// Parameters:
//   $memory: key of the memory
// Columns:
//   bullet: the properties of a bullet
// Locks: none

MATCH (b:Bullet)
WHERE b.hindlore_memory = $memory AND b.hindlore_key IS NOT NULL
RETURN properties(b) AS bullet
