// Reads deltas below a revision, newest first, with their changes.
//
// Parameters:
//   $memory: key of the memory
//   $below: revision below which to read
//   $limit: largest number of rows
// Columns:
//   delta: the properties of a delta
//   changes: bullet id, relationship type and properties of its changes, unordered
// Locks: none; the caller holds the memory's lock

MATCH (d:Delta)
WHERE d.hindlore_memory = $memory AND d.revision < $below
WITH d ORDER BY d.hindlore_memory DESC, d.revision DESC LIMIT $limit
RETURN properties(d) AS delta,
  COLLECT {
    MATCH (d)-[c:ADDED|CHANGED|MERGED|ARCHIVED|REJECTED]->(b:Bullet)
    RETURN {bullet: CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END, type: type(c), change: properties(c)}
  } AS changes
ORDER BY d.hindlore_memory DESC, d.revision DESC
