// Locks a learner while somebody copies into its lessons.
//
// Parameters:
//   $owner: key of the learner
//   $copying: who copies
// Columns:
//   held: 1
// Locks: the learner

MATCH (o:Learner {key: $owner})
SET o.lock = $owner
WITH o
WHERE o.copying = $copying
RETURN 1 AS held
