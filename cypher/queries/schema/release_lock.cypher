// Gives the lock on migrations back.
//
// Parameters:
//   $target: whose migrations they are
//   $holder: token of the caller
// Columns:
//   none
// Locks: the lock

MATCH (l:__Neo4jMigrationsLock {id: $target})
WHERE l.holder = $holder
REMOVE l.holder
SET l.expires_at = timestamp()
