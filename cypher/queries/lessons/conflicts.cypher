// Lists the conflicts of a learner, ascending by pair.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $after: the pair after which the page begins
//   $end: end of the range of the learner's pairs
//   $limit: largest number of conflicts
// Columns:
//   conflict: the properties of a conflict
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  MATCH ()-[c:CONFLICTS_WITH]->()
  WHERE c.hindlore_pair > $after AND c.hindlore_pair < $end
  RETURN c
  ORDER BY c.hindlore_pair LIMIT $limit
}
RETURN properties(c) AS conflict
