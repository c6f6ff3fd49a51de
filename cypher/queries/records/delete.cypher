// Deletes records to which no other record has an edge; their own edges are gone already.
//
// Parameters:
//   $keys: keys of records
// Columns:
//   deleted: number of records
// Locks: the records and their learner

UNWIND $keys AS key
MATCH (n:Record {hindlore_key: key})
WHERE NOT EXISTS { (n)--(:Record) }
DETACH DELETE n
RETURN count(*) AS deleted
