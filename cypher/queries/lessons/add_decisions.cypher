// Adds decisions about lessons; existing ones stay as they are.
//
// Parameters:
//   $decisions: of each the key of its `lesson`, and all its properties `decision`
// Columns:
//   kept: number of those whose lesson exists
// Locks: the lessons and the new decisions

UNWIND $decisions AS row
MATCH (l:Lesson {hindlore_key: row.lesson})
MERGE (d:Decision {hindlore_key: row.decision.hindlore_key})
ON CREATE SET d = row.decision
MERGE (l)-[:DECIDED]->(d)
RETURN count(d) AS kept
