// Reads fingerprints.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $fingerprints: keys of fingerprints
// Columns:
//   fingerprint: the properties of an existing one
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  UNWIND $fingerprints AS print
  MATCH (f:Fingerprint {hindlore_key: print})
  RETURN f
}
RETURN properties(f) AS fingerprint
