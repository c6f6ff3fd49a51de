// One retrieval is this one request: locks the memory, compares where it stands with where the caller
// ranked, and when that still holds numbers and writes the retrievals, touches what they returned, and reports
// what others touched in between. Sent again with the same token it finds what it wrote and writes nothing.
//
// Parameters:
//   $memory: key of the memory
//   $incarnation: the known incarnation
//   $revision: the known revision
//   $clock: the known clock
//   $strict: whether the clock must be the known one, too
//   $request: token of this request
//   $first: key of the first retrieval
//   $ticks: number of retrievals
//   $returned: number of bullets that they returned, counted each time
//   $retrievals: of each its properties `retrieval`, its `place` after the clock, and what it `returned`: `id` of the bullet after its memory's key, properties `mark`
// Columns:
//   head: the properties of the memory before the retrievals, its clock apart
//   before: the clock before them
//   fits: whether the known position still holds
//   there: how many of the returned are in the memory
//   written: tick of the first retrieval when this request was carried out before
//   others: the properties of the bullets that others changed since the known clock
// Locks: the memory, the bullets

MATCH (s:ContextScope {key: $memory})
SET s.lock = $memory
WITH s, s.access_clock AS before
WITH s, before,
  s.incarnation = $incarnation AND s.revision = $revision AND before >= $clock
    AND (before = $clock OR NOT $strict) AS fits,
  head(COLLECT {
    MATCH (r:Retrieval {key: $first})
    WHERE r.request = $request
    RETURN r.tick
  }) AS written,
  COUNT {
    UNWIND $retrievals AS row
    UNWIND row.returned AS one
    MATCH (:Bullet {key: $memory + one.id})
  } AS there
WITH s, before, fits, written, there,
  CASE WHEN before > $clock AND s.incarnation = $incarnation THEN COLLECT {
    MATCH (b:Bullet)
    WHERE b.memory = $memory AND b.changed_tick > $clock AND b.changed_tick < coalesce(written, before + $ticks)
    RETURN properties(b)
  } ELSE [] END AS others
CALL (s, before, fits, written, there) {
  WITH s, before
  WHERE fits AND written IS NULL AND there = $returned
  SET s.access_clock = before + $ticks
  WITH s, before
  UNWIND $retrievals AS row
  CREATE (s)-[:HAS_RETRIEVAL]->(r:Retrieval:Event)
  SET r = row.retrieval
  SET r.tick = before + row.place
  WITH row, r
  UNWIND row.returned AS one
  MATCH (b:Bullet {key: $memory + one.id})
  CREATE (r)-[x:RETURNED]->(b)
  SET x = one.mark,
      b.access_index = r.tick,
      b.changed_tick = r.tick,
      b.last_access = r.at,
      b.last_used = r.at
}
RETURN properties(s) AS head, before, fits, there, written, others
