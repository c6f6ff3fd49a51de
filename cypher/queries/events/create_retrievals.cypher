// Writes retrievals with their returned bullets.
//
// Parameters:
//   $memory: key of the memory
//   $retrievals: of each its properties `retrieval` and what it `returned`: key `bullet`, properties `mark`
// Columns:
//   returned: number of returned bullets that exist
// Locks: the memory, the retrievals, the bullets

MATCH (s:ContextScope {hindlore_key: $memory})
UNWIND $retrievals AS row
CREATE (s)-[:HAS_RETRIEVAL]->(r:Retrieval:Event)
SET r = row.retrieval
WITH row, r
UNWIND row.returned AS one
MATCH (b:Bullet {hindlore_key: one.bullet})
CREATE (r)-[x:RETURNED]->(b)
SET x = one.mark
RETURN count(x) AS returned
