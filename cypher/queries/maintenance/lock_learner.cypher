// Locks a learner, if it exists.
//
// Parameters:
//   $owner: key of the learner
// Columns:
//   key: key of the learner
//   copying: token of an unfinished copy into the lessons, or none
// Locks: the learner

MATCH (l:Learner {mnemograph_key: $owner})
SET l.lock = $owner
RETURN l.mnemograph_key AS key, l.copying AS copying
