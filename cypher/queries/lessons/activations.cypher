// Lists the activations of a lesson, newest first, then by id.
//
// Parameters:
//   $after: the place in the order after which the page begins
//   $end: the place at which they end
//   $limit: most activations
// Columns:
//   activation: the properties of an activation
// Locks: none

MATCH ()-[a:ACTIVATED]->()
WHERE a.by_time > $after AND a.by_time < $end
WITH a
ORDER BY a.by_time LIMIT $limit
RETURN properties(a) AS activation
