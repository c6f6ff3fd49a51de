// Lists the lessons of a status, newest birth first, then by id.
//
// Parameters:
//   $after: the place in the order after which the page begins
//   $end: the place at which the lessons of this status end
//   $limit: most lessons
// Columns:
//   lesson: the body of a lesson
// Locks: none

MATCH (l:Lesson)
WHERE l.by_status > $after AND l.by_status < $end
WITH l
ORDER BY l.by_status LIMIT $limit
RETURN l.body AS lesson
