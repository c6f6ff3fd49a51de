// Adds steps to runs; existing ones stay as they are.
//
// Parameters:
//   $steps: of each step the key of its `run`, and all its properties `step`
// Columns:
//   kept: number of steps whose run exists
// Locks: the runs and the new steps

UNWIND $steps AS row
MATCH (r:Run {key: row.run})
WHERE r.started_at IS NOT NULL
MERGE (s:RunStep {key: row.step.key})
ON CREATE SET s = row.step
MERGE (r)-[:TOOK]->(s)
RETURN count(s) AS kept
