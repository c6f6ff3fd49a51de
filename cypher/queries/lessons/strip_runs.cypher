// Deletes the steps of runs, with the bodies that no other step has.
//
// Parameters:
//   $runs: keys of runs
// Columns:
//   none
// Locks: the steps and the bodies

UNWIND $runs AS run
MATCH (s:RunStep)
WHERE s.hindlore_key STARTS WITH run
OPTIONAL MATCH (s)-[:SAYS]->(b:StepBody)
WITH collect(DISTINCT s) AS steps, collect(DISTINCT b) AS bodies
FOREACH (s IN steps | DETACH DELETE s)
WITH bodies
UNWIND bodies AS b
WITH b
WHERE NOT EXISTS { (b)<-[:SAYS]-() }
DETACH DELETE b
