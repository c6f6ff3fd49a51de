// Lists the errors of a task, newest first, then by id.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $after: position in the order after which the page starts
//   $end: end of the range
//   $limit: largest number of errors
// Columns:
//   event: the properties of an error
//   fine: text of its fine fingerprint
//   coarse: text of its coarse fingerprint
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  MATCH (e:ErrorEvent)
  WHERE e.hindlore_by_task > $after AND e.hindlore_by_task < $end
  RETURN e
  ORDER BY e.hindlore_by_task LIMIT $limit
}
RETURN properties(e) AS event,
  head(COLLECT { MATCH (f:Fingerprint {hindlore_key: $owner + e.fine}) RETURN f.normalised }) AS fine,
  head(COLLECT { MATCH (f:Fingerprint {hindlore_key: $owner + e.coarse}) RETURN f.normalised }) AS coarse
