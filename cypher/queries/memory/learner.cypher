// Makes a learner, unless it is there, and locks it, so that its memories are made and taken away by one
// caller at a time.
//
// Parameters:
//   $learner: the properties of the learner, `key` among them
// Columns:
//   key: key of the learner
// Locks: the learner

MERGE (l:Learner {mnemograph_key: $learner.mnemograph_key})
SET l += $learner
RETURN l.mnemograph_key AS key
