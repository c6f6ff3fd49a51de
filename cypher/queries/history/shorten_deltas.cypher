// Replaces the bodies of deltas by shorter ones, and takes their reasons away.
//
// Parameters:
//   $memory: key of the memory
//   $bodies: `revision` and `body` of each
// Columns:
//   none
// Locks: the deltas; the caller holds the memory's lock

UNWIND $bodies AS row
MATCH (d:Delta)
WHERE d.hindlore_memory = $memory AND d.revision = row.revision
SET d.body = row.body
REMOVE d.reasoning
