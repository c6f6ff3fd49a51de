// Reads retrievals below a tick, newest first, with what they returned.
//
// Parameters:
//   $memory: key of the memory
//   $below: tick below which they are wanted
//   $limit: at most so many
// Columns:
//   event: the properties of a retrieval
//   returned: bullet id and properties of what it returned, in no order
// Locks: none; the caller holds the memory

MATCH (e:Event)
WHERE e.memory = $memory AND e.tick < $below AND e:Retrieval
WITH e ORDER BY e.memory DESC, e.tick DESC LIMIT $limit
RETURN properties(e) AS event,
  COLLECT {
    MATCH (e)-[x:RETURNED]->(b:Bullet)
    RETURN {bullet: b.id, mark: properties(x)}
  } AS returned
ORDER BY e.memory DESC, e.tick DESC
