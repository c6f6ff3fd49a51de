// Clears the digest of lessons' postings, so that the next write rebuilds their relationships.
//
// Parameters:
//   $lessons: keys of lessons
// Columns:
//   none
// Locks: the lessons; the caller holds the learner's lock

UNWIND $lessons AS lesson
MATCH (l:Lesson {hindlore_key: lesson})
REMOVE l.placed
