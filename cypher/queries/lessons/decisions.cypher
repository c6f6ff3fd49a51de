// Lists the decisions about all lessons of a learner, newest first, then by id.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $limit: largest number of decisions
// Columns:
//   decision: the properties of a decision
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  MATCH (d:Decision)
  WHERE d.hindlore_by_time STARTS WITH $owner
  RETURN d
  ORDER BY d.hindlore_by_time LIMIT $limit
}
RETURN properties(d) AS decision
