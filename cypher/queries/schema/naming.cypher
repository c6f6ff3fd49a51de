// Reads under which names the database holds what identifies our nodes, and whether times are dates.
//
// Parameters:
//   $target: whose migrations
// Columns:
//   naming: `dated`, `prefixed` (times are numbers), `changing`, or none for plain names (times are numbers)
// Locks: none

MATCH (l:__Neo4jMigrationsLock {id: $target})
RETURN l.naming AS naming
