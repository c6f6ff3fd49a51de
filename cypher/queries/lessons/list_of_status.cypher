// Lists the lessons of a status, newest first by creation, then by id.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $status: the word for the status
//   $after: position in the order after which the page starts
//   $end: end of the range of the learner's lessons
//   $limit: largest number of lessons
// Columns:
//   lesson: the properties of a lesson
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  MATCH (l:Lesson)
  WHERE l.status = $status AND l.hindlore_by_birth > $after AND l.hindlore_by_birth < $end
  RETURN l
  ORDER BY l.hindlore_by_birth LIMIT $limit
}
RETURN properties(l) AS lesson
