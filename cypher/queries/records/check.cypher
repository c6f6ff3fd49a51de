// Finds records of a learner whose relationships differ from their edges.
//
// Parameters:
//   $owner: key of the learner
//   $limit: largest number of records
// Columns:
//   id: id of a record
//   labels: its labels
//   edges: number of its edges
//   relationships: number of relationships that belong to it
// Locks: none

MATCH (n:Record)
WHERE n.hindlore_key STARTS WITH $owner
WITH n, size(coalesce(n.hindlore_edges, [])) AS edges,
  COUNT { (n)-[e]-(:Record) WHERE e.hindlore_holder = n.hindlore_key } AS relationships
WHERE edges <> relationships
WITH n, edges, relationships LIMIT $limit
RETURN n.id AS id, labels(n) AS labels, edges, relationships
