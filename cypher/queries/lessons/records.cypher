// Reads what is kept about a lesson: the last sources, decisions and reviews.
//
// Parameters:
//   $lesson: key of the lesson
//   $limit: most rows of each list
// Columns:
//   sources: the properties of what it rests on
//   decisions: the bodies of the decisions about it
//   reviews: the properties of what people made of it
// Locks: none

RETURN
  COLLECT {
    MATCH (s:LessonSource)
    WHERE s.by_lesson STARTS WITH $lesson
    WITH s
    ORDER BY s.by_lesson DESC LIMIT $limit
    RETURN properties(s)
  } AS sources,
  COLLECT {
    MATCH (d:Decision)
    WHERE d.by_lesson STARTS WITH $lesson
    WITH d
    ORDER BY d.by_lesson DESC LIMIT $limit
    RETURN d.body
  } AS decisions,
  COLLECT {
    MATCH (v:Review)
    WHERE v.by_lesson STARTS WITH $lesson
    WITH v
    ORDER BY v.by_lesson DESC LIMIT $limit
    RETURN properties(v)
  } AS reviews
