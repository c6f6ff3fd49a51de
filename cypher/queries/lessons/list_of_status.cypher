// Lists the lessons of a status, newest birth first, then by id.
// While a copy goes into the lessons of the learner, nothing is found.
//
// Parameters:
//   $owner: key of the learner
//   $status: the word for the status
//   $after: the place in the order after which the page begins
//   $end: the place at which the lessons of the learner end
//   $limit: most lessons
// Columns:
//   lesson: the properties of a lesson
// Locks: none

MATCH (o:Learner {key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  MATCH (l:Lesson)
  WHERE l.status = $status AND l.by_birth > $after AND l.by_birth < $end
  RETURN l
  ORDER BY l.by_birth LIMIT $limit
}
RETURN properties(l) AS lesson
