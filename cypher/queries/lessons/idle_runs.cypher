// Lists open runs whose last report is older than a time, longest idle first.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $before: position of that time in the order
//   $limit: largest number of runs
// Columns:
//   id: name of a run
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  MATCH (r:Run)
  WHERE r.hindlore_by_idleness > $owner AND r.hindlore_by_idleness < $before
  RETURN r
  ORDER BY r.hindlore_by_idleness LIMIT $limit
}
RETURN r.id AS id
