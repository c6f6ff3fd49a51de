// Writes the node of a memory's policy, which people read; the engine reads the text on the node of the memory.
//
// Parameters:
//   $memory: key of the memory
//   $policy: the properties of the node
// Columns:
//   none
// Locks: the node of the policy; the caller holds the memory's lock

MATCH (s:ContextScope {hindlore_key: $memory})
MERGE (p:Policy {hindlore_key: $memory})
SET p = $policy
MERGE (s)-[:HAS_POLICY]->(p)
