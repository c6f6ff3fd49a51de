// Locks the memories of a learner in the order of their keys, or one of them.
//
// Parameters:
//   $owner: key of the learner
//   $memory: key of the memory, or none for all
// Columns:
//   memory: key of a memory
// Locks: the memories

MATCH (l:Learner {key: $owner})-[:HAS_SCOPE]->(s:ContextScope)
WHERE $memory IS NULL OR s.key = $memory
WITH s ORDER BY s.key
SET s.lock = s.key
RETURN s.key AS memory
