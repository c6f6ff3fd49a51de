// Releases the lock on migrations.
//
// Parameters:
//   $target: marks our migrations
//   $holder: token of the caller
// Columns:
//   none
// Locks: the lock

MATCH (l:__Neo4jMigrationsLock {id: $target})
WHERE l.holder = $holder
REMOVE l.holder
SET l.expires_at = timestamp()
