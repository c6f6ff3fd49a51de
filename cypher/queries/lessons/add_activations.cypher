// Adds activations; one that is there stays as it is, but gets the outcome that it lacks. A run of which
// nothing else is known gets a node with its name.
//
// Parameters:
//   $owner: key of the learner
//   $activations: of each the key of its `lesson`, the name of its run as properties `run`, all its properties `activation`, and those of its `outcome`, or none
// Columns:
//   kept: number of those whose lesson exists
// Locks: the learner, the runs and the lessons

MATCH (o:Learner {hindlore_key: $owner})
UNWIND $activations AS row
MATCH (l:Lesson {hindlore_key: row.lesson})
MERGE (r:Run {hindlore_key: row.run.hindlore_key})
ON CREATE SET r = row.run
MERGE (o)-[:HAS_RUN]->(r)
MERGE (r)-[a:ACTIVATED {hindlore_key: row.activation.hindlore_key}]->(l)
ON CREATE SET a = row.activation
FOREACH (outcome IN CASE WHEN a.outcome IS NULL AND row.outcome IS NOT NULL THEN [row.outcome] ELSE [] END |
  SET a += outcome)
RETURN count(a) AS kept
