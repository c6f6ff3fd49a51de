// Reads one delta with its changes.
//
// Parameters:
//   $delta: key of the delta
// Columns:
//   delta: the properties of a delta
//   changes: bullet id, relationship type and properties of its changes, unordered
// Locks: none; the caller holds the memory's lock

MATCH (d:Delta {hindlore_key: $delta})
RETURN properties(d) AS delta,
  COLLECT {
    MATCH (d)-[c:ADDED|CHANGED|MERGED|ARCHIVED|REJECTED]->(b:Bullet)
    RETURN {bullet: CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END, type: type(c), change: properties(c)}
  } AS changes
