// Locks a learner, when there is one.
//
// Parameters:
//   $owner: key of the learner
// Columns:
//   key: key of the learner
// Locks: the learner

MATCH (l:Learner {key: $owner})
SET l.lock = $owner
RETURN l.key AS key
