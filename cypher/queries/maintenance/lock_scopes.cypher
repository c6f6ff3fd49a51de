// Locks the memories of a learner in the order of their keys, or one of them.
//
// Parameters:
//   $owner: key of the learner
//   $memory: key of the memory, or none for all
// Columns:
//   memory: key of a memory
// Locks: the memories

MATCH (l:Learner {mnemograph_key: $owner})-[:HAS_SCOPE]->(s:ContextScope)
WHERE $memory IS NULL OR s.mnemograph_key = $memory
WITH s ORDER BY s.mnemograph_key
SET s.lock = s.mnemograph_key
RETURN s.mnemograph_key AS memory
