// Lists the activations of a lesson, newest first, then by id.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $after: position in the order after which the page starts
//   $end: end of the range
//   $limit: largest number of activations
// Columns:
//   activation: the properties of an activation
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  MATCH ()-[a:ACTIVATED]->()
  WHERE a.hindlore_by_time > $after AND a.hindlore_by_time < $end
  RETURN a
  ORDER BY a.hindlore_by_time LIMIT $limit
}
RETURN properties(a) AS activation
