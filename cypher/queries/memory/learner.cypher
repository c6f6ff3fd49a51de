// Makes a learner, unless it is there, and locks it, so that its memories are made and taken away by one
// caller at a time.
//
// Parameters:
//   $learner: the properties of the learner, `key` among them
// Columns:
//   key: key of the learner
// Locks: the learner

MERGE (l:Learner {hindlore_key: $learner.hindlore_key})
SET l += $learner
RETURN l.hindlore_key AS key
