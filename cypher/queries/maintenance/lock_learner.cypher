// Locks a learner, when there is one.
//
// Parameters:
//   $owner: key of the learner
// Columns:
//   key: key of the learner
//   copying: who copies into its lessons, if anybody does
// Locks: the learner

MATCH (l:Learner {key: $owner})
SET l.lock = $owner
RETURN l.key AS key, l.copying AS copying
