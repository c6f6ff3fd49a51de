// Reads the policy of a memory, and what the node says that people read.
//
// Parameters:
//   $memory: key of the memory
// Columns:
//   policy: the text that the engine reads
//   shown: the properties of the node, or null where it does not hang on the memory
// Locks: none

MATCH (s:ContextScope {hindlore_key: $memory})
OPTIONAL MATCH (p:Policy {hindlore_key: $memory})
WHERE EXISTS { (s)-[:HAS_POLICY]->(p) }
RETURN s.policy AS policy, properties(p) AS shown
