// Names the open runs of which nothing was reported since before a moment, the longest idle first.
// While a copy goes into the lessons of the learner, nothing is found.
//
// Parameters:
//   $owner: key of the learner
//   $before: the place of that moment in the order
//   $limit: most runs
// Columns:
//   id: name of a run
// Locks: none

MATCH (o:Learner {key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  MATCH (r:Run)
  WHERE r.by_idleness > $owner AND r.by_idleness < $before
  RETURN r
  ORDER BY r.by_idleness LIMIT $limit
}
RETURN r.id AS id
