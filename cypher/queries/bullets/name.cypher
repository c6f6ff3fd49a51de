// Creates the missing tags, topics and concepts of a learner.
//
// Parameters:
//   $tags: all properties of each tag
//   $topics: all properties of each topic
//   $concepts: all properties of each concept
// Columns:
//   none
// Locks: the tags, topics and concepts

CALL () {
  UNWIND $tags AS row
  MERGE (t:Tag {hindlore_key: row.hindlore_key})
  ON CREATE SET t = row
}
CALL () {
  UNWIND $topics AS row
  MERGE (t:Topic {hindlore_key: row.hindlore_key})
  ON CREATE SET t = row
}
CALL () {
  UNWIND $concepts AS row
  MERGE (t:Concept {hindlore_key: row.hindlore_key})
  ON CREATE SET t = row
}
