// Relates runs to the runs that they are a part of.
//
// Parameters:
//   $runs: of each run its key `run` and that of its `parent`
// Columns:
//   joined: number of runs whose parent is there
// Locks: the runs and their parents

UNWIND $runs AS row
MATCH (r:Run {key: row.run})
MATCH (p:Run {key: row.parent})
MERGE (r)-[:CHILD_OF]->(p)
RETURN count(r) AS joined
