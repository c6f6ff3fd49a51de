// Compares the stored counters of a learner with the rows that they count.
//
// Parameters:
//   $owner: key of the learner
// Columns:
//   kept: the stored number of fingerprints
//   counted: the number of fingerprints
//   lessons_kept: the stored number of lessons
//   lessons: the number of lessons
//   orphans: of what is kept about lessons that are not there the label, the number, and one of the lessons
//   tags: names of tags whose stored number of fingerprints is wrong
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
RETURN coalesce(o.fingerprints, 0) AS kept,
  COUNT { (o)-[:HAS_FINGERPRINT]->() } AS counted,
  coalesce(o.lessons, 0) AS lessons_kept,
  COUNT {
    MATCH (l:Lesson)
    WHERE l.hindlore_key STARTS WITH $owner
  } AS lessons,
  COLLECT {
    MATCH (s:LessonSource)
    WHERE s.hindlore_key STARTS WITH $owner AND NOT EXISTS { MATCH (:Lesson {hindlore_key: $owner + s.lesson}) }
    WITH count(*) AS number, min(s.lesson) AS lesson
    WHERE number > 0
    RETURN {kind: 'sources', number: number, lesson: lesson} AS orphan
    UNION ALL
    MATCH (d:Decision)
    WHERE d.hindlore_key STARTS WITH $owner AND NOT EXISTS { MATCH (:Lesson {hindlore_key: $owner + d.lesson}) }
    WITH count(*) AS number, min(d.lesson) AS lesson
    WHERE number > 0
    RETURN {kind: 'decisions', number: number, lesson: lesson} AS orphan
    UNION ALL
    MATCH (v:Review)
    WHERE v.hindlore_key STARTS WITH $owner AND NOT EXISTS { MATCH (:Lesson {hindlore_key: $owner + v.lesson}) }
    WITH count(*) AS number, min(v.lesson) AS lesson
    WHERE number > 0
    RETURN {kind: 'reviews', number: number, lesson: lesson} AS orphan
  } AS orphans,
  COLLECT {
    MATCH (t:Tag)
    WHERE t.hindlore_owner = $owner
      AND coalesce(t.fingerprints, 0) <> COUNT { (t)<-[:TAGGED]-(:Fingerprint) }
    RETURN t.name
  } AS tags
