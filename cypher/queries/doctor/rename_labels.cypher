// Gives the tags, topics and concepts of a memory's bullets their names back.
//
// Parameters:
//   $labels: of each the properties
// Columns:
//   none
// Locks: the tags, topics and concepts

UNWIND $labels AS row
CALL (row) {
  MATCH (t:Tag {mnemograph_key: row.mnemograph_key})
  SET t += row
}
CALL (row) {
  MATCH (t:Topic {mnemograph_key: row.mnemograph_key})
  SET t += row
}
CALL (row) {
  MATCH (t:Concept {mnemograph_key: row.mnemograph_key})
  SET t += row
}
