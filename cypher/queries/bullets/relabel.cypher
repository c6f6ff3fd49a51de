// Relates bullets to their current tags, topics and concepts. These belong to the learner.
//
// Parameters:
//   $bullets: of each bullet its `key`, and as lists of properties its `tags`, `topics` and `concepts`
// Columns:
//   none
// Locks: the bullets, the tags, topics and concepts

UNWIND $bullets AS row
MATCH (b:Bullet {hindlore_key: row.hindlore_key})
CALL (b) {
  MATCH (b)-[old:TAGGED|ABOUT|MENTIONS]->()
  DELETE old
}
CALL (b, row) {
  UNWIND row.tags AS tag
  MERGE (t:Tag {hindlore_key: tag.hindlore_key})
  ON CREATE SET t = tag
  CREATE (b)-[:TAGGED]->(t)
}
CALL (b, row) {
  UNWIND row.topics AS topic
  MERGE (t:Topic {hindlore_key: topic.hindlore_key})
  ON CREATE SET t = topic
  CREATE (b)-[:ABOUT]->(t)
}
CALL (b, row) {
  UNWIND row.concepts AS concept
  MERGE (c:Concept {hindlore_key: concept.hindlore_key})
  ON CREATE SET c = concept
  CREATE (b)-[:MENTIONS]->(c)
}
