// Lists the runs that are queued for learning from them again: highest priority first, then oldest start, then by id.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $end: end of the range of the learner's runs
//   $limit: largest number of runs
// Columns:
//   run: the properties of a run
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  MATCH (r:Run)
  WHERE r.hindlore_by_relearning > $owner AND r.hindlore_by_relearning < $end
  RETURN r
  ORDER BY r.hindlore_by_relearning LIMIT $limit
}
RETURN properties(r) AS run
