// Reads fingerprints.
// While a copy goes into the lessons of the learner, nothing is found.
//
// Parameters:
//   $owner: key of the learner
//   $fingerprints: keys of fingerprints
// Columns:
//   fingerprint: the properties of one that is there
// Locks: none

MATCH (o:Learner {key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  UNWIND $fingerprints AS print
  MATCH (f:Fingerprint {key: print})
  RETURN f
}
RETURN properties(f) AS fingerprint
