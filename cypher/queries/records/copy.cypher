// Reads all records of a learner.
//
// Parameters:
//   $owner: key of the learner
// Columns:
//   labels: the labels of a record
//   properties: all its properties
// Locks: none; the caller holds the learner's lock

MATCH (n:Record)
WHERE n.hindlore_key STARTS WITH $owner
RETURN labels(n) AS labels, properties(n) AS properties
