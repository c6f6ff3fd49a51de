// Recomputes the stored counters, and deletes the audit rows of missing lessons.
//
// Parameters:
//   $owner: key of the learner
// Columns:
//   none
// Locks: the learner, its tags, and what goes

MATCH (o:Learner {hindlore_key: $owner})
SET o.lock = $owner
SET o.lessons = COUNT {
    MATCH (l:Lesson)
    WHERE l.hindlore_key STARTS WITH $owner
  },
  o.fingerprints = COUNT { (o)-[:HAS_FINGERPRINT]->() }
WITH o
CALL () {
  MATCH (t:Tag)
  WHERE t.hindlore_owner = $owner
    AND coalesce(t.fingerprints, 0) <> COUNT { (t)<-[:TAGGED]-(:Fingerprint) }
  SET t.fingerprints = COUNT { (t)<-[:TAGGED]-(:Fingerprint) }
}
CALL () {
  MATCH (s:LessonSource)
  WHERE s.hindlore_key STARTS WITH $owner AND NOT EXISTS { MATCH (:Lesson {hindlore_key: $owner + s.lesson}) }
  DETACH DELETE s
}
CALL () {
  MATCH (d:Decision)
  WHERE d.hindlore_key STARTS WITH $owner AND NOT EXISTS { MATCH (:Lesson {hindlore_key: $owner + d.lesson}) }
  DETACH DELETE d
}
CALL () {
  MATCH (v:Review)
  WHERE v.hindlore_key STARTS WITH $owner AND NOT EXISTS { MATCH (:Lesson {hindlore_key: $owner + v.lesson}) }
  DETACH DELETE v
}
