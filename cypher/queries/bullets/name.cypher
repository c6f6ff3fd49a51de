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
  MERGE (t:Tag {mnemograph_key: row.mnemograph_key})
  ON CREATE SET t = row
}
CALL () {
  UNWIND $topics AS row
  MERGE (t:Topic {mnemograph_key: row.mnemograph_key})
  ON CREATE SET t = row
}
CALL () {
  UNWIND $concepts AS row
  MERGE (t:Concept {mnemograph_key: row.mnemograph_key})
  ON CREATE SET t = row
}
