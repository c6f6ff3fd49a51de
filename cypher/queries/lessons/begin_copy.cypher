// Begins a copy into the lessons of a learner: nobody sees them from now on until the copy has ended.
//
// Parameters:
//   $owner: key of the learner
//   $copying: who copies
// Columns:
//   begun: 1
// Locks: the learner

MATCH (o:Learner {key: $owner})
SET o.lock = $owner, o.copying = $copying
RETURN 1 AS begun
