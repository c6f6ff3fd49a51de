// Lists the conflicts of a learner, ascending by pair.
// While a copy goes into the lessons of the learner, nothing is found.
//
// Parameters:
//   $owner: key of the learner
//   $after: the pair after which the page begins
//   $end: the place at which the pairs of the learner end
//   $limit: most conflicts
// Columns:
//   conflict: the properties of a conflict
// Locks: none

MATCH (o:Learner {key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  MATCH ()-[c:CONFLICTS_WITH]->()
  WHERE c.pair > $after AND c.pair < $end
  RETURN c
  ORDER BY c.pair LIMIT $limit
}
RETURN properties(c) AS conflict
