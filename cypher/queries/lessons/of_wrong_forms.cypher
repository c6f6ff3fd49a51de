// Reads the live and observed lessons of wrong forms, of each form the promoted ones first, then the candidates, then the
// newest evidence first, with the conflicts among them. This is the look-up before an action and after a success.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $forms: of each wrong form where the order of its lessons begins
//   $per_form: largest number of lessons of one form
//   $limit: largest number of lessons in all
//   $id_length: length of the id of a lesson at the end of its key, and of a pair
// Columns:
//   lessons: the properties of the lessons, in the order of the forms
//   conflicts: the properties of the conflicts of which both lessons are among these
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  UNWIND $forms AS form
  CALL (form) {
    MATCH (l:Lesson)
    WHERE l.hindlore_by_wrong_form STARTS WITH form
    RETURN l
    ORDER BY l.hindlore_by_wrong_form LIMIT $per_form
  }
  WITH l LIMIT $limit
  RETURN collect(properties(l)) AS lessons, collect(l.hindlore_key) AS found
}
RETURN lessons,
  COLLECT {
    UNWIND found AS lesson
    MATCH ()-[c:CONFLICTS_WITH]->()
    WHERE c.hindlore_pair STARTS WITH lesson AND $owner + right(c.hindlore_pair, $id_length) IN found
    RETURN properties(c)
  } AS conflicts
