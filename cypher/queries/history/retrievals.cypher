// Reads retrievals below a tick, newest first, with their returned bullets.
//
// Parameters:
//   $memory: key of the memory
//   $below: tick below which to read
//   $limit: largest number of rows
// Columns:
//   event: the properties of a retrieval
//   returned: bullet id and properties of its returned bullets, unordered
// Locks: none; the caller holds the memory's lock

MATCH (e:Event)
WHERE e.hindlore_memory = $memory AND e.tick < $below AND e:Retrieval
WITH e ORDER BY e.hindlore_memory DESC, e.tick DESC LIMIT $limit
RETURN properties(e) AS event,
  COLLECT {
    MATCH (e)-[x:RETURNED]->(b:Bullet)
    RETURN {bullet: CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END, mark: properties(x)}
  } AS returned
ORDER BY e.hindlore_memory DESC, e.tick DESC
