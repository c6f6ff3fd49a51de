// Creates and updates fingerprints, relates them to tags, and keeps the counters of both.
//
// Parameters:
//   $owner: key of the learner
//   $new: all properties of each fingerprint that is not there
//   $changed: of each other one its `key` and the properties that change
//   $ties: of each tag its properties `tag`, and of each fingerprint that gets it its `key` and its `posting`
// Columns:
//   tied: number of ties that were made
// Locks: the learner, the fingerprints and the tags

MATCH (o:Learner {hindlore_key: $owner})
CALL (o) {
  UNWIND $new AS row
  CREATE (o)-[:HAS_FINGERPRINT]->(f:Fingerprint)
  SET f = row
  RETURN count(f) AS made
}
SET o.fingerprints = coalesce(o.fingerprints, 0) + made
WITH o
CALL () {
  UNWIND $changed AS row
  MATCH (f:Fingerprint {hindlore_key: row.hindlore_key})
  SET f += row
}
CALL () {
  UNWIND $ties AS row
  MERGE (t:Tag {hindlore_key: row.tag.hindlore_key})
  ON CREATE SET t = row.tag
  SET t.fingerprints = coalesce(t.fingerprints, 0) + size(row.fingerprints)
  WITH t, row
  UNWIND row.fingerprints AS print
  MATCH (f:Fingerprint {hindlore_key: print.hindlore_key})
  CREATE (f)-[g:TAGGED]->(t)
  SET g.hindlore_posting = print.hindlore_posting
  RETURN count(g) AS tied
}
RETURN tied
