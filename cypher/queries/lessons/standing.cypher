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
WHERE l.mnemograph_key > $after AND l.mnemograph_key STARTS WITH $owner
WITH l
ORDER BY l.mnemograph_key LIMIT $limit
RETURN l.mnemograph_key AS key, properties(l) AS lesson,
  COLLECT {
    MATCH (l)-[t:TRIGGERED_BY|TAGGED|APPLIES_TO]->()
    RETURN coalesce(t.mnemograph_posting, '')
  } AS ties
