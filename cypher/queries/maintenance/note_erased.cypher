// Adds to the counts of a learner's rows that were deleted in pieces.
//
// Parameters:
//   $owner: key of the learner
//   $counts: deltas, retrievals, bullets, lessons, runs, errors, memories, records
// Columns:
//   none
// Locks: the learner

MATCH (l:Learner {hindlore_key: $owner})
SET l.erased = [at IN range(0, size($counts) - 1) | $counts[at] + coalesce(l.erased[at], 0)]
