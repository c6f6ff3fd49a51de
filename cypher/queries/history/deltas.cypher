// Reads deltas below a revision, newest first, with what they changed.
//
// Parameters:
//   $memory: key of the memory
//   $below: revision below which they are wanted
//   $limit: at most so many
// Columns:
//   delta: the properties of a delta
//   changes: bullet id, relationship type and properties of what it changed, in no order
// Locks: none; the caller holds the memory

MATCH (d:Delta)
WHERE d.memory = $memory AND d.revision < $below
WITH d ORDER BY d.memory DESC, d.revision DESC LIMIT $limit
RETURN properties(d) AS delta,
  COLLECT {
    MATCH (d)-[c:ADDED|CHANGED|MERGED|ARCHIVED|REJECTED]->(b:Bullet)
    RETURN {bullet: b.id, type: type(c), change: properties(c)}
  } AS changes
ORDER BY d.memory DESC, d.revision DESC
