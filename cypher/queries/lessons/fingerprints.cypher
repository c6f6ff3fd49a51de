// Reads fingerprints.
//
// Parameters:
//   $fingerprints: keys of fingerprints
// Columns:
//   fingerprint: the properties of one that is there
// Locks: none

UNWIND $fingerprints AS print
MATCH (f:Fingerprint {key: print})
RETURN properties(f) AS fingerprint
