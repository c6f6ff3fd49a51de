// Locks a learner, if it exists.
//
// Parameters:
//   $owner: key of the learner
// Columns:
//   key: key of the learner
//   copying: token of an unfinished copy into the lessons, or none
// Locks: the learner

MATCH (l:Learner {hindlore_key: $owner})
SET l.lock = $owner
RETURN l.hindlore_key AS key, l.copying AS copying
