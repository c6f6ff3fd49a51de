// Relates all records of a learner to the runs that they name, where those are there. For runs that were written anew: a
// relationship goes with its run.
//
// Parameters:
//   $owner: key of the learner
// Columns:
//   drawn: number of relationships
// Locks: the records and the runs

MATCH (n:Record)
WHERE n.hindlore_key STARTS WITH $owner AND n.hindlore_refers IS NOT NULL
UNWIND n.hindlore_refers AS named
WITH n, split(named, ' ') AS parts
MATCH (r:Run {hindlore_key: parts[1]})
WHERE r.started_at IS NOT NULL AND NOT EXISTS { MATCH (n)-[old]->(r) WHERE type(old) = parts[0] }
CREATE (n)-[e:$(parts[0])]->(r)
RETURN count(e) AS drawn
