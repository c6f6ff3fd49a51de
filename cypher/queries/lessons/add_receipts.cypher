// Writes the receipts of operations. The constraint refuses an existing one.
//
// Parameters:
//   $owner: key of the learner
//   $receipts: all properties of each receipt
// Columns:
//   none
// Locks: the learner and the new receipts

MATCH (o:Learner {hindlore_key: $owner})
UNWIND $receipts AS row
CREATE (o)-[:HAS_OPERATION]->(p:Operation)
SET p = row
