// Counts the retrievals up to a clock.
//
// Parameters:
//   $memory: key of the memory
//   $clock: tick of the last retrieval that counts
// Columns:
//   records: how many they are
// Locks: none; the caller holds the memory

MATCH (e:Event)
WHERE e.memory = $memory AND e.tick <= $clock AND e:Retrieval
RETURN count(*) AS records
