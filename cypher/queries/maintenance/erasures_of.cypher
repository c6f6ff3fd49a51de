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
WHERE e.hindlore_by_learner > $start AND e.hindlore_by_learner < $behind
RETURN properties(e) AS receipt
ORDER BY e.hindlore_by_learner LIMIT $limit
