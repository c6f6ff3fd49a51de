// Reads all bullets of a memory.
//
// Parameters:
//   $memory: key of the memory
// Columns:
//   bullet: the properties of a bullet
// Locks: none; the caller holds the memory's lock

MATCH (b:Bullet)
WHERE b.hindlore_memory = $memory AND b.changed_tick IS NOT NULL
RETURN properties(b) AS bullet
