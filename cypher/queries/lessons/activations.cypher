// Lists the activations of a lesson, newest first, then by id.
// While a copy goes into the lessons of the learner, nothing is found.
//
// Parameters:
//   $owner: key of the learner
//   $after: the place in the order after which the page begins
//   $end: the place at which they end
//   $limit: most activations
// Columns:
//   activation: the properties of an activation
// Locks: none

MATCH (o:Learner {key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  MATCH ()-[a:ACTIVATED]->()
  WHERE a.by_time > $after AND a.by_time < $end
  RETURN a
  ORDER BY a.by_time LIMIT $limit
}
RETURN properties(a) AS activation
