// Recomputes the stored counters, and deletes the audit rows of missing lessons.
//
// Parameters:
//   $owner: key of the learner
// Columns:
//   none
// Locks: the learner, its tags, and what goes

MATCH (o:Learner {key: $owner})
SET o.lock = $owner
SET o.lessons = COUNT {
    MATCH (l:Lesson)
    WHERE l.key STARTS WITH $owner
  },
  o.fingerprints = COUNT { (o)-[:HAS_FINGERPRINT]->() }
WITH o
CALL () {
  MATCH (t:Tag)
  WHERE t.owner = $owner
    AND coalesce(t.fingerprints, 0) <> COUNT { (t)<-[:TAGGED]-(:Fingerprint) }
  SET t.fingerprints = COUNT { (t)<-[:TAGGED]-(:Fingerprint) }
}
CALL () {
  MATCH (s:LessonSource)
  WHERE s.key STARTS WITH $owner AND NOT EXISTS { MATCH (:Lesson {key: $owner + s.lesson}) }
  DETACH DELETE s
}
CALL () {
  MATCH (d:Decision)
  WHERE d.key STARTS WITH $owner AND NOT EXISTS { MATCH (:Lesson {key: $owner + d.lesson}) }
  DETACH DELETE d
}
CALL () {
  MATCH (v:Review)
  WHERE v.key STARTS WITH $owner AND NOT EXISTS { MATCH (:Lesson {key: $owner + v.lesson}) }
  DETACH DELETE v
}
