// Says under which names the database holds what identifies our nodes, or that these names are being changed.
//
// Parameters:
//   $target: whose migrations
//   $holder: who holds the lock on them
//   $naming: `changing` or `dated`
// Columns:
//   naming: the new one; no row if somebody else holds the lock
// Locks: the lock of the migrations

MATCH (l:__Neo4jMigrationsLock {id: $target})
WHERE l.holder = $holder
SET l.naming = $naming
RETURN l.naming AS naming
