// Begins a copy into the lessons of a learner, which are invisible until the copy ends.
//
// Parameters:
//   $owner: key of the learner
//   $copying: token of the copy
// Columns:
//   begun: 1
// Locks: the learner

MATCH (o:Learner {hindlore_key: $owner})
SET o.lock = $owner, o.copying = $copying
RETURN 1 AS begun
