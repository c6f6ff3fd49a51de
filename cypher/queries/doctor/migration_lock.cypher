// Reads whether the lock on migrations is held.
//
// Parameters:
//   $target: marks our migrations
// Columns:
//   is_held: whether an instance holds it now
// Locks: none

MATCH (l:__Neo4jMigrationsLock {id: $target})
RETURN l.holder IS NOT NULL AND l.expires_at > timestamp() AS is_held
