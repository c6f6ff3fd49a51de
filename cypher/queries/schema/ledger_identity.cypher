// Ensures that a migration is recorded only once.
//
// Parameters:
//   none
// Columns:
//   none
// Locks: the schema

CREATE CONSTRAINT hindlore_migration_unique IF NOT EXISTS
FOR (m:__Neo4jMigration) REQUIRE (m.migrationTarget, m.version) IS UNIQUE
