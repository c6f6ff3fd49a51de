// Ends a copy into the lessons of a learner, which can be seen from now on.
//
// Parameters:
//   $owner: key of the learner
//   $copying: who copies
// Columns:
//   ended: 1
// Locks: the learner

MATCH (o:Learner {key: $owner})
WHERE o.copying = $copying
REMOVE o.copying
RETURN 1 AS ended
