// Adds steps to runs; existing ones stay as they are. The body of a step is made unless another step has it.
//
// Parameters:
//   $steps: of each step the key of its `run`, all its properties `step`, and those of its `body`
// Columns:
//   kept: number of steps whose run exists
// Locks: the runs, the new steps and their bodies

UNWIND $steps AS row
MATCH (r:Run {hindlore_key: row.run})
WHERE r.started_at IS NOT NULL
MERGE (s:RunStep {hindlore_key: row.step.hindlore_key})
ON CREATE SET s = row.step, s:Step
MERGE (r)-[:STEP {number: row.step.step}]->(s)
WITH s, row
CALL (s, row) {
  WITH s, row
  WHERE s.body = row.body.hash AND NOT EXISTS { (s)-[:SAYS]->() }
  MERGE (b:StepBody {hindlore_key: row.body.hindlore_key})
  ON CREATE SET b = row.body
  MERGE (s)-[:SAYS]->(b)
}
RETURN count(s) AS kept
