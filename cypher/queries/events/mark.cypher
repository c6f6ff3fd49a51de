// Sets marks on what retrievals returned; none is ever taken back. A retrieval that was folded is gone,
// and its feedback comes too late.
//
// Parameters:
//   $marks: key `retrieval`, key `bullet`, and the five marks of each
// Columns:
//   none
// Locks: the bullets and their relationships

UNWIND $marks AS mark
MATCH (r:Retrieval {key: mark.retrieval})
WITH mark, r
MATCH (r)-[x:RETURNED]->(b:Bullet)
WHERE b.key = mark.bullet
SET x.injected = x.injected OR mark.injected,
    x.used = x.used OR mark.used,
    x.helped = x.helped OR mark.helped,
    x.harmed = x.harmed OR mark.harmed,
    x.ignored = x.ignored OR mark.ignored
