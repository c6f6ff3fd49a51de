// Reads the oldest deltas after a revision, without their changes.
//
// Parameters:
//   $memory: key of the memory
//   $after: revision after which to read
//   $revision: revision of the last one to read
//   $limit: largest number of rows
// Columns:
//   revision: revision of a delta
//   id: its id
//   body_digest: SHA-256 of its body
//   at: when it was applied
// Locks: none; the caller holds the memory's lock

MATCH (d:Delta)
WHERE d.hindlore_memory = $memory AND d.revision > $after AND d.revision <= $revision
RETURN d.revision AS revision, d.id AS id, d.body_digest AS body_digest, d.at AS at
ORDER BY d.hindlore_memory, d.revision LIMIT $limit
