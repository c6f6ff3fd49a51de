// Records an applied migration after the one before it, once.
//
// Parameters:
//   $target: marks our migrations
//   $previous: version of the one before it, or none
//   $migration: its properties, `version` among them
// Columns:
//   none
// Locks: the record

MERGE (m:__Neo4jMigration {migrationTarget: $target, version: $migration.version})
SET m += $migration
WITH m
MATCH (p:__Neo4jMigration)
WHERE p.migrationTarget = $target AND p.version = $previous
MERGE (p)-[r:MIGRATED_TO]->(m)
ON CREATE SET r.at = datetime({timezone: 'Z'})
