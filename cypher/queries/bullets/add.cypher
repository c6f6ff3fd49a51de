// Creates many bullets at once, each with its change in a delta and its tags, topics and concepts, which all exist.
// Values are lists, read by index: the names of maps would be sent and parsed again for
// each bullet. A node that is created with its properties enters each index only once.
//
// Parameters:
//   $memory: key of the memory
//   $delta: key of the delta that added them
//   $place: what all of them share: `tenant`, `learner` and `scope`
//   $tags: keys of tags that the bullets name by index
//   $topics: keys of topics that the bullets name by index
//   $concepts: keys of concepts that the bullets name by index
//   $bullets: of each its properties, the change, and the indexes of its tags, topics and concepts
// Columns:
//   added: number of bullets whose delta exists
// Locks: the memory, the delta, the tags, topics and concepts

MATCH (s:ContextScope {hindlore_key: $memory})
WITH s,
  head(COLLECT { MATCH (d:Delta {hindlore_key: $delta}) RETURN d }) AS d,
  [key IN $tags | head(COLLECT { MATCH (t:Tag {hindlore_key: key}) RETURN t })] AS tags,
  [key IN $topics | head(COLLECT { MATCH (t:Topic {hindlore_key: key}) RETURN t })] AS topics,
  [key IN $concepts | head(COLLECT { MATCH (t:Concept {hindlore_key: key}) RETURN t })] AS concepts
WHERE d IS NOT NULL
UNWIND $bullets AS row
WITH s, d, tags, topics, concepts, row, row[0] AS one, row[1] AS change
CREATE (s)-[:HOLDS]->(b:Bullet {hindlore_memory: $memory,
  tenant: $place.tenant, learner: $place.learner, scope: $place.scope,
  hindlore_key: one[0], hindlore_hash_key: one[1], title: one[2], id: one[3], content: one[4], content_hash: one[5],
  legacy_id: one[6], memory_type: one[7], kind: one[8], status: one[9], pinned: one[10],
  helpful: one[11], harmful: one[12], neutral: one[13], strength: one[14],
  access_index: one[15], last_access: one[16], last_used: one[17],
  created_at: one[18], created_tick: one[19], changed_tick: one[20], position: one[21],
  tags: one[22], section: one[23], topic: one[24], concept: one[25], ttl_days: one[26],
  importance: one[27], source: one[28], merged_into: one[29], embedding: one[30]})<-[:ADDED {
  helpful: change[0], harmful: change[1], neutral: change[2], fields: change[3], before: change[4]}]-(d)
FOREACH (at IN row[2] | FOREACH (t IN [tags[at]] | CREATE (b)-[:TAGGED]->(t)))
FOREACH (at IN row[3] | FOREACH (t IN [topics[at]] | CREATE (b)-[:ABOUT]->(t)))
FOREACH (at IN row[4] | FOREACH (t IN [concepts[at]] | CREATE (b)-[:MENTIONS]->(t)))
RETURN count(b) AS added
