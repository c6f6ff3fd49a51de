// Gives the latest names to a database that no engine has used yet; one of an older engine keeps its own.
//
// Parameters:
//   $target: whose migrations
//   $holder: who holds the lock on them
//   $latest: the word for the latest names
// Columns:
//   naming: the naming that the database has now, or none for plain names
// Locks: the lock of the migrations

MATCH (l:__Neo4jMigrationsLock {id: $target})
WHERE l.holder = $holder
SET l.naming = CASE
  WHEN l.naming IS NOT NULL THEN l.naming
  WHEN EXISTS { MATCH (m:__Neo4jMigration) WHERE m.migrationTarget = $target } THEN null
  WHEN EXISTS { MATCH (o:Learner) WHERE o.key IS NOT NULL AND o.tenant IS NOT NULL AND o.id IS NOT NULL } THEN null
  ELSE $latest
END
RETURN l.naming AS naming
