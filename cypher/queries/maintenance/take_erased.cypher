// Reads and clears the counts of a learner's rows that were deleted in pieces.
//
// Parameters:
//   $owner: key of the learner
// Columns:
//   counts: deltas, retrievals, bullets, lessons, runs, errors, memories; empty where nothing was
// Locks: the learner

MATCH (l:Learner {hindlore_key: $owner})
WITH l, coalesce(l.erased, []) AS counts
REMOVE l.erased
RETURN counts
