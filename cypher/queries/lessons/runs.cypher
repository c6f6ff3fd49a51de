// Lists runs, newest start first, then by id.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $after: position in the order after which the page starts
//   $end: end of the range of the learner's runs
//   $limit: largest number of runs
// Columns:
//   run: the properties of a run
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  MATCH (r:Run)
  WHERE r.hindlore_by_start > $after AND r.hindlore_by_start < $end
  RETURN r
  ORDER BY r.hindlore_by_start LIMIT $limit
}
RETURN properties(r) AS run
