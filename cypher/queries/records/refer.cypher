// Relates records to the runs that they name, where those are there; relationships to other runs go.
//
// Parameters:
//   $keys: keys of records
// Columns:
//   drawn: number of relationships
// Locks: the records and the runs

UNWIND $keys AS key
MATCH (n:Record {hindlore_key: key})
CALL (n) {
  MATCH (n)-[e]->(:Run)
  DELETE e
}
UNWIND n.hindlore_refers AS named
WITH n, split(named, ' ') AS parts
MATCH (r:Run {hindlore_key: parts[1]})
WHERE r.started_at IS NOT NULL
CREATE (n)-[e:$(parts[0])]->(r)
RETURN count(e) AS drawn
