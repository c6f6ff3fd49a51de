// Writes deltas with their new bullets and their changes, links each delta to the one before it (the first to the
// memory), and moves the memory to its new position. An everyday commit is this one request. Writes nothing and
// returns no row when the memory is not at $at, has folded one of $folded, or lacks a bullet that a delta changes: all
// are checked before the first write, because a statement on its own cannot be rolled back afterwards.
//
// Parameters:
//   $memory: key of the memory
//   $at: properties that the memory must still have
//   $folded: key of the `bucket` and `mark` of deltas that must not be folded
//   $named: keys of the bullets that the changes name and that are not new, each once
//   $head: the properties of the memory that change
//   $place: what all new bullets share: `tenant`, `learner` and `scope`
//   $tags: all properties of each tag that the new bullets name by index; missing tags are created
//   $topics: the same of topics
//   $concepts: the same of concepts
//   $bullets: of each new bullet its properties in the order of `bullets/add`, and the indexes of its tags, topics and concepts
//   $old: all properties of each existing bullet that changed; its relationships stay
//   $deltas: of each delta its properties `delta`, the revision `previous` (none for the creation), and its `changes`: key `bullet`, relationship `type`, properties `change`
// Columns:
//   changed: number of changes written
// Locks: the memory, the deltas, the bullets, the tags, topics and concepts

MATCH (s:ContextScope {hindlore_key: $memory})
SET s.lock = $memory
WITH s
WHERE all(name IN keys($at) WHERE s[name] = $at[name])
  AND NOT EXISTS {
    UNWIND $folded AS one
    MATCH (f:FoldedDeltas {hindlore_key: one.bucket})
    WHERE f.marks CONTAINS one.mark
  }
WITH s, COUNT {
  UNWIND $named AS bullet
  MATCH (b:Bullet {hindlore_key: bullet})
  RETURN b
} AS found
WHERE found = size($named)
SET s += $head
WITH s
CALL () {
  UNWIND $tags AS row
  MERGE (t:Tag {hindlore_key: row.hindlore_key})
  ON CREATE SET t = row
  RETURN collect(t) AS tags
}
CALL () {
  UNWIND $topics AS row
  MERGE (t:Topic {hindlore_key: row.hindlore_key})
  ON CREATE SET t = row
  RETURN collect(t) AS topics
}
CALL () {
  UNWIND $concepts AS row
  MERGE (t:Concept {hindlore_key: row.hindlore_key})
  ON CREATE SET t = row
  RETURN collect(t) AS concepts
}
CALL (s, tags, topics, concepts) {
  UNWIND $bullets AS row
  WITH s, tags, topics, concepts, row, row[0] AS one
  CREATE (s)-[:HOLDS]->(b:Bullet {hindlore_memory: $memory,
    tenant: $place.tenant, learner: $place.learner, scope: $place.scope,
    hindlore_key: one[0], hindlore_hash_key: one[1], title: one[2], id: one[3], content: one[4], content_hash: one[5],
    legacy_id: one[6], memory_type: one[7], kind: one[8], status: one[9], pinned: one[10],
    helpful: one[11], harmful: one[12], neutral: one[13], strength: one[14],
    access_index: one[15], last_access: one[16], last_used: one[17],
    created_at: one[18], created_tick: one[19], changed_tick: one[20], position: one[21],
    tags: one[22], section: one[23], topic: one[24], concept: one[25], ttl_days: one[26],
    importance: one[27], source: one[28], merged_into: one[29], embedding: one[30]})
  FOREACH (at IN row[1] | FOREACH (t IN [tags[at]] | CREATE (b)-[:TAGGED]->(t)))
  FOREACH (at IN row[2] | FOREACH (t IN [topics[at]] | CREATE (b)-[:ABOUT]->(t)))
  FOREACH (at IN row[3] | FOREACH (t IN [concepts[at]] | CREATE (b)-[:MENTIONS]->(t)))
}
CALL () {
  UNWIND $old AS row
  MATCH (b:Bullet {hindlore_key: row.hindlore_key})
  SET b = row
}
UNWIND $deltas AS row
CREATE (d:Delta:Event)
SET d = row.delta
WITH s, row, d
CALL (s, row, d) {
  WITH s, row, d
  WHERE row.previous IS NULL
  CREATE (s)-[:HISTORY]->(d)
}
CALL (row, d) {
  MATCH (p:Delta)
  WHERE p.hindlore_memory = $memory AND p.revision = row.previous
  CREATE (p)-[:NEXT]->(d)
}
CALL (row, d) {
  UNWIND row.changes AS one
  MATCH (b:Bullet {hindlore_key: one.bullet})
  CREATE (d)-[c:$(one.type)]->(b)
  SET c = one.change
  RETURN count(c) AS written
}
WITH s, sum(written) AS changed
RETURN changed
