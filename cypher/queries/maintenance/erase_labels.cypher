// Deletes the tags, topics and concepts of a learner that no bullet has any more, and the learner when
// no memory is left.
//
// Parameters:
//   $owner: key of the learner
// Columns:
//   none
// Locks: everything that it deletes

CALL () {
  MATCH (n:Tag)
  WHERE n.hindlore_owner = $owner AND NOT EXISTS { (n)--() }
  DELETE n
}
CALL () {
  MATCH (n:Topic)
  WHERE n.hindlore_owner = $owner AND NOT EXISTS { (n)--() }
  DELETE n
}
CALL () {
  MATCH (n:Concept)
  WHERE n.hindlore_owner = $owner AND NOT EXISTS { (n)--() }
  DELETE n
}
CALL () {
  MATCH (n:Learner {hindlore_key: $owner})
  WHERE NOT EXISTS { (n)--() }
  DELETE n
}
