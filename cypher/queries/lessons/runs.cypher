// Lists runs, newest start first, then by id.
// While a copy goes into the lessons of the learner, nothing is found.
//
// Parameters:
//   $owner: key of the learner
//   $after: the place in the order after which the page begins
//   $end: the place at which the runs of the learner end
//   $limit: most runs
// Columns:
//   run: the properties of a run
// Locks: none

MATCH (o:Learner {key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  MATCH (r:Run)
  WHERE r.by_start > $after AND r.by_start < $end
  RETURN r
  ORDER BY r.by_start LIMIT $limit
}
RETURN properties(r) AS run
