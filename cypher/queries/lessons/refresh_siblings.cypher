// Notes on the tags of fingerprints whether they trigger a live lesson now: only then are they siblings of
// others with the same tag.
//
// Parameters:
//   $fingerprints: keys of fingerprints
//   $live: prefix of the postings of live lessons
//   $sibling: separator between the key of a tag and the id of a sibling
// Columns:
//   none
// Locks: the ties of the fingerprints

UNWIND $fingerprints AS print
WITH print, EXISTS {
  MATCH ()-[t:TRIGGERED_BY]->()
  WHERE t.hindlore_posting STARTS WITH print + $live
} AS is_live
MATCH (f:Fingerprint {hindlore_key: print})-[g:TAGGED]->(t:Tag)
WHERE is_live <> (g.hindlore_posting IS NOT NULL)
SET g.hindlore_posting = CASE WHEN is_live THEN t.hindlore_key + $sibling + f.id END
