// Deletes the history of a memory.
//
// Parameters:
//   $memory: key of the memory
// Columns:
//   deltas: number of deltas
//   retrievals: number of retrievals
// Locks: everything that it deletes

MATCH (e:Event)
WHERE e.hindlore_memory = $memory AND e.tick IS NOT NULL
WITH e, e:Delta AS is_delta
DETACH DELETE e
RETURN sum(toInteger(is_delta)) AS deltas, sum(toInteger(NOT is_delta)) AS retrievals
