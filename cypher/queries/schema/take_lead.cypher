// Writes something through the leader of a cluster. Members apply what was written in one order, so that a read after this
// sees all that was written before, also where the leader is a new one that has fallen behind.
//
// Parameters:
//   $target: whose migrations
//   $token: something that was not written before
// Columns:
//   none
// Locks: the lock of the migrations

MATCH (l:__Neo4jMigrationsLock {id: $target})
SET l.asked = $token
