// Ends a copy into the lessons of a learner, which become visible again.
//
// Parameters:
//   $owner: key of the learner
//   $copying: token of the copy
// Columns:
//   ended: 1
// Locks: the learner

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying = $copying
REMOVE o.copying
RETURN 1 AS ended
