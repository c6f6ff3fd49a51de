// Deletes a learner that was created for a decision which then wrote nothing.
//
// Parameters:
//   $owner: key of the learner
// Columns:
//   none
// Locks: the learner

MATCH (o:Learner {hindlore_key: $owner})
WHERE NOT EXISTS { (o)--() }
DELETE o
