// Lists runs, newest start first, then by id.
//
// Parameters:
//   $after: the place in the order after which the page begins
//   $end: the place at which the runs of the learner end
//   $limit: most runs
// Columns:
//   run: the properties of a run
// Locks: none

MATCH (r:Run)
WHERE r.by_start > $after AND r.by_start < $end
WITH r
ORDER BY r.by_start LIMIT $limit
RETURN properties(r) AS run
