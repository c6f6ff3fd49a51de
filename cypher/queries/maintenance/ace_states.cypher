// Reads the memories of the original programs, with the users that own them. Scans: those programs made no index for
// them.
//
// Parameters:
//   $limit: most memories to read
// Columns:
//   user: id of the owner; null for a memory without one
//   memory: the memory as the text of a JSON file
//   clock: its access clock
// Locks: none

MATCH (m:AceMemoryState)
WHERE m.memory_json IS NOT NULL
OPTIONAL MATCH (u)-[:HAS_ACE_MEMORY]->(m)
RETURN toStringOrNull(u.id) AS user, m.memory_json AS memory, toIntegerOrNull(m.access_clock) AS clock
ORDER BY user LIMIT $limit
