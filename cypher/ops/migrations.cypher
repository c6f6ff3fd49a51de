// Which migrations were applied, and when?
//
// Looks at the record that all tenants share. A checksum that is not that of the file is refused when the
// engine connects.
//
// Parameters:
//   :param limit => 100
// Columns:
//   version: its number
//   source: its file
//   checksum: checksum of its text
//   at: when it followed the one before it

MATCH (m:__Neo4jMigration)
WHERE m.migrationTarget = 'hindlore' AND m.version >= ''
OPTIONAL MATCH (:__Neo4jMigration)-[r:MIGRATED_TO]->(m)
RETURN m.version AS version, m.source AS source, m.checksum AS checksum, r.at AS at
ORDER BY version LIMIT toInteger($limit)
