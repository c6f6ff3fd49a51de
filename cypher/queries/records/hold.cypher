// Locks a learner, so that decisions about its records are serialised, and reads records. `lock` always has
// this value, so that setting it writes nothing, but it takes the write lock before anything is read.
//
// Parameters:
//   $owner: key of the learner
//   $keys: keys of records
// Columns:
//   records: labels and properties of the records that are there
// Locks: the learner, until the transaction ends

MATCH (o:Learner {hindlore_key: $owner})
SET o.lock = $owner
WITH o
RETURN COLLECT {
  UNWIND $keys AS key
  MATCH (n:Record {hindlore_key: key})
  RETURN {labels: labels(n), properties: properties(n)}
} AS records
