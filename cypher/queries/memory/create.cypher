// Creates a memory under a learner.
//
// Parameters:
//   $owner: key of the learner
//   $head: the properties of the memory
// Columns:
//   none
// Locks: the learner and the new memory

MATCH (l:Learner {hindlore_key: $owner})
CREATE (l)-[:HAS_SCOPE]->(s:ContextScope)
SET s = $head
