// Reads which lessons fingerprints trigger, in any status: of each those out of use first, then the
// newest evidence first.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $triggers: keys of fingerprints
//   $limit: largest number of lessons of one fingerprint
// Columns:
//   postings: the postings, each with the key of its fingerprint before it
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
UNWIND $triggers AS trigger
CALL (trigger) {
  MATCH ()-[t:TRIGGERED_BY]->()
  WHERE t.hindlore_posting STARTS WITH trigger
  WITH t.hindlore_posting AS posting
  ORDER BY posting LIMIT $limit
  RETURN collect(posting) AS postings
}
RETURN postings
