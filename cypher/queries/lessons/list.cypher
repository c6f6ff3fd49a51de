// Lists lessons, newest birth first, then by id.
//
// Parameters:
//   $after: the place in the order after which the page begins
//   $end: the place at which the lessons of the learner end
//   $limit: most lessons
// Columns:
//   lesson: the body of a lesson
// Locks: none

MATCH (l:Lesson)
WHERE l.by_birth > $after AND l.by_birth < $end
WITH l
ORDER BY l.by_birth LIMIT $limit
RETURN l.body AS lesson
