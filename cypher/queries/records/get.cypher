// Reads records by key.
//
// Parameters:
//   $keys: keys of records
// Columns:
//   labels: the labels of a record
//   properties: all its properties
// Locks: none

UNWIND $keys AS key
MATCH (n:Record {hindlore_key: key})
RETURN labels(n) AS labels, properties(n) AS properties
