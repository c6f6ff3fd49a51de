// Looks who holds the lock on migrations.
//
// Parameters:
//   $target: whose migrations they are
// Columns:
//   is_held: whether somebody holds it now
// Locks: none

MATCH (l:__Neo4jMigrationsLock {id: $target})
RETURN l.holder IS NOT NULL AND l.expires_at > timestamp() AS is_held
