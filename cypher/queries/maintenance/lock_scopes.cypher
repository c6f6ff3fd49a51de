// Locks the memories of a learner in the order of their keys, or one of them.
//
// Parameters:
//   $owner: key of the learner
//   $memory: key of the memory, or none for all
// Columns:
//   memory: key of a memory
// Locks: the memories

MATCH (l:Learner {hindlore_key: $owner})-[:HAS_SCOPE]->(s:ContextScope)
WHERE $memory IS NULL OR s.hindlore_key = $memory
WITH s ORDER BY s.hindlore_key
SET s.lock = s.hindlore_key
RETURN s.hindlore_key AS memory
