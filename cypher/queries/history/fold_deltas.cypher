// Deletes the deltas between two revisions with their changes.
//
// Parameters:
//   $memory: key of the memory
//   $after: revision after which to delete
//   $last: revision of the last one
// Columns:
//   none
// Locks: the deltas, their neighbours in the chain, the changed bullets; the caller holds the memory's lock

MATCH (d:Delta)
WHERE d.hindlore_memory = $memory AND d.revision > $after AND d.revision <= $last
DETACH DELETE d
