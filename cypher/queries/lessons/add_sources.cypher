// Adds sources of lessons; existing ones stay as they are.
//
// Parameters:
//   $sources: of each its key `lesson`, the key of its `run`, and all its properties `source`
// Columns:
//   kept: number of those whose lesson exists
// Locks: the lessons and the new sources

UNWIND $sources AS row
MATCH (l:Lesson {hindlore_key: row.lesson})
MERGE (s:LessonSource {hindlore_key: row.source.hindlore_key})
ON CREATE SET s = row.source
MERGE (l)-[:RESTS_ON]->(s)
WITH s, row, head(COLLECT { MATCH (n:Run {hindlore_key: row.run}) RETURN n }) AS r
FOREACH (run IN CASE WHEN r IS NULL THEN [] ELSE [r] END | MERGE (s)-[:SEEN_IN]->(run))
RETURN count(s) AS kept
