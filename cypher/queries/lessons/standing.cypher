// Reads a page of the lessons of a learner with what they are tied to, for a comparison of both.
//
// Parameters:
//   $owner: key of the learner
//   $after: the key after which the page begins
//   $limit: largest number of lessons
// Columns:
//   key: key of a lesson
//   lesson: its properties
//   ties: the postings of its triggers, its tags, and of where it applies
// Locks: none

MATCH (l:Lesson)
WHERE l.hindlore_key > $after AND l.hindlore_key STARTS WITH $owner
WITH l
ORDER BY l.hindlore_key LIMIT $limit
RETURN l.hindlore_key AS key, properties(l) AS lesson,
  COLLECT {
    MATCH (l)-[t:TRIGGERED_BY|TAGGED|APPLIES_TO]->()
    RETURN coalesce(t.hindlore_posting, '')
  } AS ties
