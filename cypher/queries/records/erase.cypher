// Deletes a piece of a learner's records, if there are that many.
//
// Parameters:
//   $owner: key of the learner
//   $piece: most records
//   $least: fewest records that are worth a piece of their own
// Columns:
//   records: number of records
// Locks: everything that it deletes

MATCH (n:Record)
WHERE n.hindlore_key STARTS WITH $owner
WITH n LIMIT $piece
WITH collect(n) AS found
UNWIND CASE WHEN size(found) >= $least THEN found ELSE [] END AS n
DETACH DELETE n
RETURN count(*) AS records
