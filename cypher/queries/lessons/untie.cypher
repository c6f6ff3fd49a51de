// Forgets what the relationships of lessons were made from, so that they are made anew with the next write.
//
// Parameters:
//   $lessons: keys of lessons
// Columns:
//   none
// Locks: the lessons; the caller holds the learner

UNWIND $lessons AS lesson
MATCH (l:Lesson {key: lesson})
REMOVE l.placed
