// Creates or replaces lessons, and keeps their counter. Their relationships are another
// statement.
//
// Parameters:
//   $owner: key of the learner
//   $lessons: all properties of each lesson
// Columns:
//   none
// Locks: the learner and the lessons

MATCH (o:Learner {hindlore_key: $owner})
UNWIND $lessons AS row
MERGE (l:Lesson {hindlore_key: row.hindlore_key})
ON CREATE SET o.lessons = coalesce(o.lessons, 0) + 1
SET l = row
MERGE (o)-[:HAS_LESSON]->(l)
