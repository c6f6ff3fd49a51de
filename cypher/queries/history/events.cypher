// Reads events between two ticks in order, with their changes and returned bullets.
//
// Parameters:
//   $memory: key of the memory
//   $tick: tick after which to read
//   $clock: tick of the last one to read
//   $limit: largest number of rows
// Columns:
//   event: the properties of an event
//   is_delta: whether it is a delta
//   changes: bullet id, relationship type and properties of a delta's changes
//   returned: bullet id and properties of a retrieval's returned bullets
// Locks: none; events up to a clock that was read stay as they are

MATCH (e:Event)
WHERE e.hindlore_memory = $memory AND e.tick > $tick AND e.tick <= $clock
WITH e ORDER BY e.hindlore_memory, e.tick LIMIT $limit
RETURN properties(e) AS event, e:Delta AS is_delta,
  COLLECT {
    MATCH (e)-[c:ADDED|CHANGED|MERGED|ARCHIVED|REJECTED]->(b:Bullet)
    RETURN {bullet: CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END, type: type(c), change: properties(c)}
  } AS changes,
  COLLECT {
    MATCH (e)-[x:RETURNED]->(b:Bullet)
    RETURN {bullet: CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END, mark: properties(x)}
  } AS returned
ORDER BY e.hindlore_memory, e.tick
