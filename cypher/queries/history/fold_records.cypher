// Takes the retrievals up to a clock away.
//
// Parameters:
//   $memory: key of the memory
//   $clock: tick of the last retrieval that is taken away
// Columns:
//   folded: how many they were
// Locks: the memory, the retrievals, the bullets

MATCH (e:Event)
WHERE e.memory = $memory AND e.tick <= $clock AND e:Retrieval
DETACH DELETE e
RETURN count(*) AS folded
