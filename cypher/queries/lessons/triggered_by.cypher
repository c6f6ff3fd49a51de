// Reads the lessons that fingerprints trigger and that were live when they were tied to them, of each the newest
// evidence first, with the conflicts among them. This is the exact hit on an error.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $triggers: of each fingerprint where its postings of live lessons begin
//   $limit: largest number of lessons of one fingerprint
//   $id_length: length of the id of a lesson at the end of a posting, and of a pair
// Columns:
//   lessons: the properties of the lessons, in the order of the fingerprints; one of two of them comes twice
//   conflicts: the properties of the conflicts of which both lessons are among these
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  UNWIND $triggers AS trigger
  CALL (trigger) {
    MATCH (l)-[t:TRIGGERED_BY]->()
    WHERE t.hindlore_posting STARTS WITH trigger
    WITH l, t.hindlore_posting AS posting
    ORDER BY posting LIMIT $limit
    RETURN properties(l) AS lesson_of, $owner + right(posting, $id_length) AS lesson
  }
  RETURN collect(lesson_of) AS lessons, collect(DISTINCT lesson) AS found
}
RETURN lessons,
  COLLECT {
    UNWIND found AS lesson
    MATCH ()-[c:CONFLICTS_WITH]->()
    WHERE c.hindlore_pair STARTS WITH lesson AND $owner + right(c.hindlore_pair, $id_length) IN found
    RETURN properties(c)
  } AS conflicts
