// Reads under which names the database holds what identifies our nodes.
//
// Parameters:
//   $target: whose migrations
// Columns:
//   naming: `prefixed`, `changing`, or none for plain names
// Locks: none

MATCH (l:__Neo4jMigrationsLock {id: $target})
RETURN l.naming AS naming
