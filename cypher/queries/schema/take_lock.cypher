// Takes the lock on migrations, or keeps it, unless somebody else holds it and has not let it expire. Time
// is the server's.
//
// Parameters:
//   $target: marks our migrations
//   $holder: token of the caller
//   $lease_ms: how long it is held
//   $never: a moment before all others
// Columns:
//   is_mine: whether the caller holds it now
// Locks: the lock

MERGE (l:__Neo4jMigrationsLock {id: $target})
ON CREATE SET l.expires_at = $never
SET l.title = $target
WITH l, l.holder = $holder OR l.expires_at < timestamp() AS free
CALL (l, free) {
  WITH l
  WHERE free
  SET l.holder = $holder, l.expires_at = timestamp() + $lease_ms
}
RETURN free AS is_mine
