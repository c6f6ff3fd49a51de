// Records a group of retrievals in one request: locks the memory, checks that it is still where the caller ranked,
// numbers and writes the retrievals, touches the bullets that they returned, and reports what others touched in
// between. Returns no row when the memory has moved on. Writes nothing and returns `recorded` 0 when it lacks a
// returned bullet: that is checked before the first write, because a statement on its own cannot be rolled back
// afterwards. What several rows share is sent once and named by its index, to keep the request small.
//
// Parameters:
//   $memory: key of the memory
//   $incarnation: the known incarnation
//   $revision: the known revision
//   $clock: the known clock
//   $strict: whether the clock must be the known one, too
//   $event: what all retrievals share: `tenant`, `learner`, `scope`, and `request`, the token of this request
//   $texts: texts that the rows name by index
//   $bullets: of each returned bullet its id after its memory's key, the number (from 1) of the last retrieval that returned it, and the time of that one
//   $rows: of each retrieval its key, id, time, revision and clock where it was ranked; the indexes of its profile, parameters, query and title in the texts; and of each returned bullet its index in $bullets, its score, and its marks when there are any
// Columns:
//   before: the clock before the retrievals
//   others: of each bullet that others touched since the known clock its id, the tick, and the time
//   recorded: number of retrievals written
// Locks: the memory, the bullets

MATCH (s:ContextScope {hindlore_key: $memory})
SET s.lock = $memory
WITH s, s.access_clock AS before
WHERE s.incarnation = $incarnation AND s.revision = $revision
  AND (before = $clock OR before > $clock AND NOT $strict)
WITH s, before, CASE WHEN before > $clock THEN COLLECT {
  MATCH (b:Bullet)
  WHERE b.hindlore_memory = $memory AND b.changed_tick > $clock
  RETURN [CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END, b.changed_tick, b.last_access]
} ELSE [] END AS others, COLLECT {
  UNWIND $bullets AS one
  MATCH (b:Bullet {hindlore_key: $memory + one[0]})
  RETURN b
} AS found
CALL (s, before, found) {
  WITH s, before, found
  WHERE size(found) = size($bullets)
  SET s.access_clock = before + size($rows)
  FOREACH (at IN range(0, size($bullets) - 1) |
    FOREACH (b IN [found[at]] |
      SET b.access_index = before + $bullets[at][1],
          b.changed_tick = before + $bullets[at][1],
          b.last_access = $bullets[at][2],
          b.last_used = $bullets[at][2]))
  WITH s, before, found
  UNWIND range(1, size($rows)) AS place
  WITH s, found, before + place AS tick, $rows[place - 1] AS row
  CREATE (s)-[:HAS_RETRIEVAL]->(r:Retrieval:Event {hindlore_memory: $memory, tick: tick, hindlore_key: row[0], id: row[1],
    tenant: $event.tenant, learner: $event.learner, scope: $event.scope, request: $event.request,
    at: row[2], revision: row[3], ranked_at: row[4],
    profile: $texts[row[5]], parameters: $texts[row[6]], query: $texts[row[7]], title: $texts[row[8]]})
  FOREACH (at IN range(9, size(row) - 1) |
    FOREACH (b IN [found[row[at][0]]] |
      CREATE (r)-[x:RETURNED {rank: at - 9, score: row[at][1]}]->(b)
      FOREACH (marks IN row[at][2..] | SET x += marks)))
  RETURN count(r) AS recorded
}
RETURN before, others, recorded
