// Ensures that there is only one lock.
//
// Parameters:
//   none
// Columns:
//   none
// Locks: the schema

CREATE CONSTRAINT hindlore_migration_lock_unique IF NOT EXISTS
FOR (l:__Neo4jMigrationsLock) REQUIRE l.id IS UNIQUE
