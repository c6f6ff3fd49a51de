// Deletes the bullets of a memory with their links.
//
// Parameters:
//   $memory: key of the memory
// Columns:
//   bullets: number of bullets
// Locks: everything that it deletes

MATCH (b:Bullet)
WHERE b.hindlore_memory = $memory AND b.changed_tick IS NOT NULL
DETACH DELETE b
RETURN count(*) AS bullets
