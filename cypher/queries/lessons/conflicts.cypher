// Lists the conflicts of a learner, ascending by pair.
//
// Parameters:
//   $after: the pair after which the page begins
//   $end: the place at which the pairs of the learner end
//   $limit: most conflicts
// Columns:
//   conflict: the properties of a conflict
// Locks: none

MATCH ()-[c:CONFLICTS_WITH]->()
WHERE c.pair > $after AND c.pair < $end
WITH c
ORDER BY c.pair LIMIT $limit
RETURN properties(c) AS conflict
