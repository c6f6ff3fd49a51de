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
  MERGE (t:Tag {key: row.key})
  ON CREATE SET t = row
}
CALL () {
  UNWIND $topics AS row
  MERGE (t:Topic {key: row.key})
  ON CREATE SET t = row
}
CALL () {
  UNWIND $concepts AS row
  MERGE (t:Concept {key: row.key})
  ON CREATE SET t = row
}
