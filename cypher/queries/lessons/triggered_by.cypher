// Reads the live lessons that fingerprints trigger, of each the newest evidence first, with the conflicts
// among them. This is the exact hit on an error.
//
// Parameters:
//   $triggers: of each fingerprint where its postings of live lessons begin
//   $limit: most lessons of one fingerprint
// Columns:
//   lessons: the properties of the lessons, in the order of the fingerprints; one of two of them comes twice
//   conflicts: the properties of the conflicts of which both lessons are among these
// Locks: none

CALL () {
  UNWIND $triggers AS trigger
  CALL (trigger) {
    MATCH (l)-[t:TRIGGERED_BY]->()
    WHERE t.posting STARTS WITH trigger
    WITH l, t.posting AS posting
    ORDER BY posting LIMIT $limit
    RETURN l
  }
  RETURN collect(l) AS found
}
RETURN [l IN found | properties(l)] AS lessons,
  COLLECT {
    UNWIND found AS l
    WITH DISTINCT l
    MATCH (l)-[c:CONFLICTS_WITH]->(other)
    WHERE other IN found
    RETURN properties(c)
  } AS conflicts
