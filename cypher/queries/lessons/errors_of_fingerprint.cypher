// Lists the errors that match a fingerprint, newest first, then by id.
// While a copy goes into the lessons of the learner, nothing is found.
//
// Parameters:
//   $owner: key of the learner
//   $after: the place in the order after which the page begins
//   $end: the place at which they end
//   $limit: most errors
// Columns:
//   event: the properties of an error
//   fine: text of its fine fingerprint
//   coarse: text of its coarse fingerprint
// Locks: none

MATCH (o:Learner {key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  MATCH (e)-[m:MATCHES]->()
  WHERE m.by_time > $after AND m.by_time < $end
  RETURN e, m
  ORDER BY m.by_time LIMIT $limit
}
RETURN properties(e) AS event,
  head(COLLECT { MATCH (f:Fingerprint {key: $owner + e.fine}) RETURN f.normalised }) AS fine,
  head(COLLECT { MATCH (f:Fingerprint {key: $owner + e.coarse}) RETURN f.normalised }) AS coarse
