// Sets marks on returned bullets; none is ever cleared. A compacted retrieval is gone,
// and its feedback comes too late.
//
// Parameters:
//   $marks: key `retrieval`, key `bullet`, the marks of each that are set, and `told`, the words of feedback, if any
// Columns:
//   none
// Locks: the bullets and their relationships

UNWIND $marks AS mark
WITH mark,
  head(COLLECT { MATCH (n:Retrieval {hindlore_key: mark.retrieval}) RETURN n }) AS r,
  head(COLLECT { MATCH (n:Bullet {hindlore_key: mark.bullet}) RETURN n }) AS b
WHERE r IS NOT NULL AND b IS NOT NULL
MATCH (r)-[x:RETURNED]->(b)
SET x.injected = x.injected OR mark.injected,
    x.used = x.used OR mark.used,
    x.helped = x.helped OR mark.helped,
    x.harmed = x.harmed OR mark.harmed,
    x.ignored = x.ignored OR mark.ignored,
    x.told = CASE
      WHEN mark.told IS NULL THEN x.told
      ELSE coalesce(x.told, []) + [name IN mark.told WHERE NOT name IN coalesce(x.told, [])]
    END
