// Gives the tags, topics and concepts of a memory's bullets their names back.
//
// Parameters:
//   $labels: of each the properties
// Columns:
//   none
// Locks: the tags, topics and concepts

UNWIND $labels AS row
CALL (row) {
  MATCH (t:Tag {hindlore_key: row.hindlore_key})
  SET t += row
}
CALL (row) {
  MATCH (t:Topic {hindlore_key: row.hindlore_key})
  SET t += row
}
CALL (row) {
  MATCH (t:Concept {hindlore_key: row.hindlore_key})
  SET t += row
}
