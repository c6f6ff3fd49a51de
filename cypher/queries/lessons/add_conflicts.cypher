// Relates conflicting lessons; an existing pair only gains a settlement.
//
// Parameters:
//   $conflicts: of each the keys of its lessons `first` and `second`, and all its properties `conflict`
// Columns:
//   kept: number of those whose lessons exist
// Locks: the lessons

UNWIND $conflicts AS row
WITH row,
  head(COLLECT { MATCH (n:Lesson {hindlore_key: row.first}) RETURN n }) AS a,
  head(COLLECT { MATCH (n:Lesson {hindlore_key: row.second}) RETURN n }) AS b
WHERE a IS NOT NULL AND b IS NOT NULL
MERGE (a)-[c:CONFLICTS_WITH {hindlore_pair: row.conflict.hindlore_pair}]->(b)
ON CREATE SET c = row.conflict
SET c.settled = coalesce(row.conflict.settled, c.settled)
RETURN count(c) AS kept
