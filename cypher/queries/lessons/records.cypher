// Reads the last sources, decisions and reviews of a lesson.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $lesson: key of the lesson
//   $limit: largest number of rows of each list
// Columns:
//   sources: the properties of its sources
//   decisions: the properties of the decisions about it
//   reviews: the properties of its reviews
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
RETURN
  COLLECT {
    MATCH (s:LessonSource)
    WHERE s.hindlore_by_lesson STARTS WITH $lesson
    WITH s
    ORDER BY s.hindlore_by_lesson DESC LIMIT $limit
    RETURN properties(s)
  } AS sources,
  COLLECT {
    MATCH (d:Decision)
    WHERE d.hindlore_by_lesson STARTS WITH $lesson
    WITH d
    ORDER BY d.hindlore_by_lesson DESC LIMIT $limit
    RETURN properties(d)
  } AS decisions,
  COLLECT {
    MATCH (v:Review)
    WHERE v.hindlore_by_lesson STARTS WITH $lesson
    WITH v
    ORDER BY v.hindlore_by_lesson DESC LIMIT $limit
    RETURN properties(v)
  } AS reviews
