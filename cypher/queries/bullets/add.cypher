// Makes many new bullets at once, each with the delta that added it and what it is tied to, which are there.
//
// Parameters:
//   $memory: key of the memory
//   $bullets: of each new bullet its properties `bullet`, key `delta`, properties `change`, and the keys of its `tags`, `topics` and `concepts`
// Columns:
//   added: number of bullets whose delta is there
// Locks: the memory, the deltas, the tags, topics and concepts

MATCH (s:ContextScope {key: $memory})
UNWIND $bullets AS row
MATCH (d:Delta {key: row.delta})
CREATE (s)-[:HOLDS]->(b:Bullet)<-[c:ADDED]-(d)
SET b = row.bullet, c = row.change
WITH b, row
CALL (b, row) {
  UNWIND row.tags AS key
  MATCH (t:Tag {key: key})
  CREATE (b)-[:TAGGED]->(t)
}
CALL (b, row) {
  UNWIND row.topics AS key
  MATCH (t:Topic {key: key})
  CREATE (b)-[:ABOUT]->(t)
}
CALL (b, row) {
  UNWIND row.concepts AS key
  MATCH (t:Concept {key: key})
  CREATE (b)-[:MENTIONS]->(t)
}
RETURN count(b) AS added
