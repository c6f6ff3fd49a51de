// After a lost answer: finds the rows that a request recorded, by one of its retrievals, and the touches by others
// before it.
//
// Parameters:
//   $memory: key of the memory
//   $retrieval: key of the first retrieval of the request
//   $request: token of the request
//   $clock: the known clock
// Columns:
//   tick: tick of that retrieval
//   others: of each bullet that others touched since the known clock and before it its id, the tick, and the time
// Locks: none; what was recorded does not change

MATCH (r:Retrieval {hindlore_key: $retrieval})
WHERE r.request = $request
RETURN r.tick AS tick, COLLECT {
  MATCH (b:Bullet)
  WHERE b.hindlore_memory = $memory AND b.changed_tick > $clock AND b.changed_tick < r.tick
  RETURN [CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END, b.changed_tick, b.last_access]
} AS others
