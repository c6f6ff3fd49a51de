// Deletes the oldest receipts of operations between two times.
//
// Parameters:
//   $first: order key below all receipts of the learner
//   $before: order key of the time before which receipts go
//   $limit: largest number of receipts
// Columns:
//   none
// Locks: the learner and the receipts

MATCH (p:Operation)
WHERE p.hindlore_by_time >= $first AND p.hindlore_by_time < $before
WITH p ORDER BY p.hindlore_by_time LIMIT $limit
DETACH DELETE p
