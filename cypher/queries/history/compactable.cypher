// Counts the retrievals up to a clock.
//
// Parameters:
//   $memory: key of the memory
//   $clock: tick of the last retrieval that counts
// Columns:
//   records: their number
// Locks: none; the caller holds the memory's lock

MATCH (e:Event)
WHERE e.hindlore_memory = $memory AND e.tick <= $clock AND e:Retrieval
RETURN count(*) AS records
