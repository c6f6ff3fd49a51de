// One group of retrievals is this one request: locks the memory, compares where it stands with where the
// caller ranked, and when that still holds numbers and writes the retrievals, touches what they returned, and
// reports what others touched in between. Sent again with the same token it finds what it wrote and writes
// nothing. What several rows share is sent once and named by its place, since the request must stay small.
//
// Parameters:
//   $memory: key of the memory
//   $incarnation: the known incarnation
//   $revision: the known revision
//   $clock: the known clock
//   $strict: whether the clock must be the known one, too
//   $event: the properties that all the retrievals have, `request` among them: the token of this request
//   $texts: texts that the rows name by their place
//   $bullets: of each returned bullet its id after its memory's key, the place of the last retrieval that returned it, and the moment of that one
//   $rows: of each retrieval its key, id, moment, revision and clock where it was ranked; the places of its profile, parameters, query and title in the texts; and of each returned bullet its place among the bullets, its score, and its marks when there are any
// Columns:
//   before: the clock before the retrievals
//   fits: whether the known position still holds
//   there: how many of the returned bullets are in the memory
//   written: tick of the first retrieval when this request was carried out before
//   others: of each bullet that others touched since the known clock its id, the tick, and the moment
// Locks: the memory, the bullets

MATCH (s:ContextScope {key: $memory})
SET s.lock = $memory
WITH s, s.access_clock AS before
WITH s, before,
  s.incarnation = $incarnation AND s.revision = $revision AND before >= $clock
    AND (before = $clock OR NOT $strict) AS fits,
  head(COLLECT {
    MATCH (r:Retrieval {key: $rows[0][0]})
    WHERE r.request = $event.request
    RETURN r.tick
  }) AS written,
  COUNT {
    UNWIND $bullets AS one
    MATCH (:Bullet {key: $memory + one[0]})
  } AS there
WITH s, before, fits, written, there,
  CASE WHEN before > $clock AND s.incarnation = $incarnation THEN COLLECT {
    MATCH (b:Bullet)
    WHERE b.memory = $memory AND b.changed_tick > $clock AND b.changed_tick < coalesce(written, before + 1)
    RETURN [b.id, b.changed_tick, b.last_access]
  } ELSE [] END AS others
CALL (s, before, fits, written, there) {
  WITH s, before
  WHERE fits AND written IS NULL AND there = size($bullets)
  SET s.access_clock = before + size($rows)
  WITH s, before
  CALL (before) {
    UNWIND $bullets AS one
    MATCH (b:Bullet {key: $memory + one[0]})
    SET b.access_index = before + one[1],
        b.changed_tick = before + one[1],
        b.last_access = one[2],
        b.last_used = one[2]
  }
  UNWIND range(1, size($rows)) AS place
  WITH s, before + place AS tick, $rows[place - 1] AS row
  CREATE (s)-[:HAS_RETRIEVAL]->(r:Retrieval:Event)
  SET r = $event
  SET r += {tick: tick, key: row[0], id: row[1], at: row[2], revision: row[3], ranked_at: row[4],
    profile: $texts[row[5]], parameters: $texts[row[6]], query: $texts[row[7]], title: $texts[row[8]]}
  WITH r, row
  UNWIND range(9, size(row) - 1) AS at
  WITH r, at - 9 AS rank, row[at] AS one
  MATCH (b:Bullet {key: $memory + $bullets[one[0]][0]})
  CREATE (r)-[x:RETURNED {rank: rank, score: one[1]}]->(b)
  SET x += coalesce(one[2], {})
}
RETURN before, fits, there, written, others
