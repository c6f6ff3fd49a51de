// Locks a learner during a copy into its lessons.
//
// Parameters:
//   $owner: key of the learner
//   $copying: token of the copy
// Columns:
//   held: 1
// Locks: the learner

MATCH (o:Learner {hindlore_key: $owner})
SET o.lock = $owner
WITH o
WHERE o.copying = $copying
RETURN 1 AS held
