// Lists the receipts of a learner, newest first.
//
// Parameters:
//   $start: prefix of the learner's receipts
//   $behind: end of their range
//   $limit: at most this many
// Columns:
//   receipt: its properties
// Locks: none

MATCH (e:Erasure)
WHERE e.by_learner > $start AND e.by_learner < $behind
RETURN properties(e) AS receipt
ORDER BY e.by_learner LIMIT $limit
