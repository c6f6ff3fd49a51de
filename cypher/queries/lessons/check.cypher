// Compares the kept numbers of a learner with what they count.
//
// Parameters:
//   $owner: key of the learner
// Columns:
//   kept: the kept number of fingerprints
//   counted: the number of fingerprints
//   tags: names of tags whose kept number of fingerprints is wrong
// Locks: none

MATCH (o:Learner {key: $owner})
RETURN coalesce(o.fingerprints, 0) AS kept,
  COUNT { (o)-[:HAS_FINGERPRINT]->() } AS counted,
  COLLECT {
    MATCH (t:Tag)
    WHERE t.owner = $owner
      AND coalesce(t.fingerprints, 0) <> COUNT { (t)<-[:TAGGED]-(:Fingerprint) }
    RETURN t.name
  } AS tags
