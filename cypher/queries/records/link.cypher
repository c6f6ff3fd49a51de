// Creates edges between records.
//
// Parameters:
//   $edges: of each edge the keys `from` and `to` of its records, its relationship `name`, and its `properties`
// Columns:
//   linked: number of edges whose two records exist
// Locks: the records

UNWIND $edges AS row
WITH row,
  head(COLLECT { MATCH (n:Record {hindlore_key: row.from}) RETURN n }) AS a,
  head(COLLECT { MATCH (n:Record {hindlore_key: row.to}) RETURN n }) AS b
WHERE a IS NOT NULL AND b IS NOT NULL
CREATE (a)-[e:$(row.name)]->(b)
SET e = row.properties
RETURN count(e) AS linked
