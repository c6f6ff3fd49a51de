// Relates runs to the runs that they are a part of.
//
// Parameters:
//   $runs: of each run its key `run` and that of its `parent`
// Columns:
//   joined: number of runs whose parent is there
// Locks: the runs and their parents

UNWIND $runs AS row
WITH head(COLLECT { MATCH (r:Run {hindlore_key: row.run}) RETURN r }) AS r,
  head(COLLECT { MATCH (p:Run {hindlore_key: row.parent}) RETURN p }) AS p
WHERE r IS NOT NULL AND p IS NOT NULL
MERGE (r)-[:CHILD_OF]->(p)
RETURN count(r) AS joined
