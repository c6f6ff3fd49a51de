// Reads which migrations were applied. The labels and properties are those that neo4j-migrations uses.
//
// Parameters:
//   $target: marks our migrations
//   $least: a version before all others
// Columns:
//   version: number of a migration
//   source: its file
//   checksum: checksum of its text
//   expands: true if engines that do not know it may go on
// Locks: none

MATCH (m:__Neo4jMigration)
WHERE m.migrationTarget = $target AND m.version > $least
RETURN m.version AS version, m.source AS source, m.checksum AS checksum,
    m.expands AS expands
ORDER BY version
