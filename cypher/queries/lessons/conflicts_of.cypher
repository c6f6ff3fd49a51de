// Lists the conflicts of a lesson, ascending by pair.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $lesson: key of the lesson
//   $after: the pair after which the page begins
//   $limit: largest number of conflicts
// Columns:
//   conflict: the properties of a conflict
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  MATCH (:Lesson {hindlore_key: $lesson})-[c:CONFLICTS_WITH]-()
  WHERE c.hindlore_pair > $after
  RETURN c
  ORDER BY c.hindlore_pair LIMIT $limit
}
RETURN properties(c) AS conflict
