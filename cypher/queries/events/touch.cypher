// One group of retrievals is this one request: locks the memory, compares where it stands with where the
// caller ranked, and when that still holds numbers and writes the retrievals, touches what they returned, and
// reports what others touched in between. Otherwise it writes nothing and gives no row. A returned bullet that
// is not in the memory makes the range of places a division by zero, which undoes all. What several rows share
// is sent once and named by its place, since the request must stay small.
//
// Parameters:
//   $memory: key of the memory
//   $incarnation: the known incarnation
//   $revision: the known revision
//   $clock: the known clock
//   $strict: whether the clock must be the known one, too
//   $event: what all the retrievals have: `tenant`, `learner`, `scope`, and `request`, the token of this request
//   $texts: texts that the rows name by their place
//   $bullets: of each returned bullet its id after its memory's key, the place of the last retrieval that returned it, and the moment of that one
//   $rows: of each retrieval its key, id, moment, revision and clock where it was ranked; the places of its profile, parameters, query and title in the texts; and of each returned bullet its place among the bullets, its score, and its marks when there are any
// Columns:
//   before: the clock before the retrievals
//   others: of each bullet that others touched since the known clock its id, the tick, and the moment
//   recorded: number of retrievals
// Locks: the memory, the bullets

MATCH (s:ContextScope {key: $memory})
SET s.lock = $memory
WITH s, s.access_clock AS before
WHERE s.incarnation = $incarnation AND s.revision = $revision
  AND (before = $clock OR before > $clock AND NOT $strict)
WITH s, before, CASE WHEN before > $clock THEN COLLECT {
  MATCH (b:Bullet)
  WHERE b.memory = $memory AND b.changed_tick > $clock
  RETURN [b.id, b.changed_tick, b.last_access]
} ELSE [] END AS others
SET s.access_clock = before + size($rows)
WITH s, before, others
CALL (before) {
  UNWIND $bullets AS one
  MATCH (b:Bullet {key: $memory + one[0]})
  SET b.access_index = before + one[1],
      b.changed_tick = before + one[1],
      b.last_access = one[2],
      b.last_used = one[2]
  RETURN collect(b) AS found
}
UNWIND range(1, size($rows) / CASE size(found) WHEN size($bullets) THEN 1 ELSE 0 END) AS place
WITH s, before, others, found, before + place AS tick, $rows[place - 1] AS row
CREATE (s)-[:HAS_RETRIEVAL]->(r:Retrieval:Event {memory: $memory, tick: tick, key: row[0], id: row[1],
  tenant: $event.tenant, learner: $event.learner, scope: $event.scope, request: $event.request,
  at: row[2], revision: row[3], ranked_at: row[4],
  profile: $texts[row[5]], parameters: $texts[row[6]], query: $texts[row[7]], title: $texts[row[8]]})
FOREACH (at IN range(9, size(row) - 1) |
  FOREACH (b IN [found[row[at][0]]] |
    CREATE (r)-[x:RETURNED {rank: at - 9, score: row[at][1]}]->(b)
    FOREACH (marks IN row[at][2..] | SET x += marks)))
RETURN before, others, count(r) AS recorded
