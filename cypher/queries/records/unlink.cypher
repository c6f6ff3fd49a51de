// Deletes edges between records.
//
// Parameters:
//   $edges: of each edge the keys `from` and `to` of its records, and its relationship `name`
// Columns:
//   none
// Locks: the records

UNWIND $edges AS row
WITH row,
  head(COLLECT { MATCH (n:Record {hindlore_key: row.from}) RETURN n }) AS a,
  head(COLLECT { MATCH (n:Record {hindlore_key: row.to}) RETURN n }) AS b
WHERE a IS NOT NULL AND b IS NOT NULL
MATCH (a)-[e]->(b)
WHERE type(e) = row.name
DELETE e
