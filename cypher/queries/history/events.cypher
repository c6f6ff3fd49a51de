// Reads events after a tick in order, with what they changed or returned.
//
// Parameters:
//   $memory: key of the memory
//   $tick: tick after which they are wanted
//   $limit: at most so many
// Columns:
//   event: the properties of an event
//   is_delta: whether it is a delta
//   changes: bullet id, relationship type and properties of what a delta changed
//   returned: bullet id and properties of what a retrieval returned
// Locks: none; the caller holds the memory

MATCH (e:Event)
WHERE e.memory = $memory AND e.tick > $tick
WITH e ORDER BY e.tick LIMIT $limit
RETURN properties(e) AS event, e:Delta AS is_delta,
  COLLECT {
    MATCH (e)-[c:ADDED|CHANGED|MERGED|ARCHIVED|REJECTED]->(b:Bullet)
    RETURN {bullet: b.id, type: type(c), change: properties(c)}
  } AS changes,
  COLLECT {
    MATCH (e)-[x:RETURNED]->(b:Bullet)
    RETURN {bullet: b.id, mark: properties(x)}
  } AS returned
ORDER BY e.tick
