// Lists the conflicts of a lesson, ascending by pair.
//
// Parameters:
//   $lesson: key of the lesson
//   $after: the pair after which the page begins
//   $limit: most conflicts
// Columns:
//   conflict: the properties of a conflict
// Locks: none

MATCH (:Lesson {key: $lesson})-[c:CONFLICTS_WITH]-()
WHERE c.pair > $after
WITH c
ORDER BY c.pair LIMIT $limit
RETURN properties(c) AS conflict
