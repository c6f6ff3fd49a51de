// Reads lessons with the conflicts among them.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $lessons: keys of lessons
//   $id_length: length of the id at the end of the key of a lesson, and of a pair
// Columns:
//   lessons: the properties of the existing ones
//   conflicts: the properties of the conflicts of which both lessons are among these
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
RETURN
  COLLECT {
    UNWIND $lessons AS lesson
    MATCH (l:Lesson {hindlore_key: lesson})
    RETURN properties(l)
  } AS lessons,
  COLLECT {
    UNWIND $lessons AS lesson
    MATCH ()-[c:CONFLICTS_WITH]->()
    WHERE c.hindlore_pair STARTS WITH lesson AND $owner + right(c.hindlore_pair, $id_length) IN $lessons
    RETURN properties(c)
  } AS conflicts
