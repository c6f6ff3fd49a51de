// Reads lessons with the conflicts among them.
//
// Parameters:
//   $lessons: keys of lessons
// Columns:
//   lessons: the properties of those that are there
//   conflicts: the properties of the conflicts of which both lessons are among these
// Locks: none

CALL () {
  UNWIND $lessons AS lesson
  MATCH (l:Lesson {key: lesson})
  RETURN collect(l) AS found
}
RETURN [l IN found | properties(l)] AS lessons,
  COLLECT {
    UNWIND found AS l
    MATCH (l)-[c:CONFLICTS_WITH]->(other)
    WHERE other IN found
    RETURN properties(c)
  } AS conflicts
