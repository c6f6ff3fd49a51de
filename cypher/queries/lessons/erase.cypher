// Deletes all rows of a learner's lessons. Tags stay for those bullets that have them.
//
// Parameters:
//   $owner: key of the learner
//   $copying: token of the copy that continues, or none
// Columns:
//   lessons: number of lessons
//   runs: number of runs known by more than their name
//   errors: number of errors
// Locks: everything that it deletes

CALL () {
  MATCH (n:ErrorEvent) WHERE n.hindlore_key STARTS WITH $owner
  DETACH DELETE n
  RETURN count(*) AS errors
}
CALL () {
  MATCH (n:RunStep) WHERE n.hindlore_key STARTS WITH $owner
  DETACH DELETE n
}
CALL () {
  MATCH (n:StepBody) WHERE n.hindlore_key STARTS WITH $owner
  DETACH DELETE n
}
CALL () {
  MATCH (n:LessonSource) WHERE n.hindlore_key STARTS WITH $owner
  DETACH DELETE n
}
CALL () {
  MATCH (n:Decision) WHERE n.hindlore_key STARTS WITH $owner
  DETACH DELETE n
}
CALL () {
  MATCH (n:Review) WHERE n.hindlore_key STARTS WITH $owner
  DETACH DELETE n
}
CALL () {
  MATCH (n:Operation) WHERE n.hindlore_key STARTS WITH $owner
  DETACH DELETE n
}
CALL () {
  MATCH (n:Lesson) WHERE n.hindlore_key STARTS WITH $owner
  DETACH DELETE n
  RETURN count(*) AS lessons
}
CALL () {
  MATCH (n:Run) WHERE n.hindlore_key STARTS WITH $owner
  WITH n, n.started_at IS NOT NULL AS is_known
  DETACH DELETE n
  RETURN sum(toInteger(is_known)) AS runs
}
CALL () {
  MATCH (n:Fingerprint) WHERE n.hindlore_key STARTS WITH $owner
  DETACH DELETE n
}
CALL () {
  MATCH (n:Task) WHERE n.hindlore_key STARTS WITH $owner
  DETACH DELETE n
}
CALL () {
  MATCH (n:Domain) WHERE n.hindlore_key STARTS WITH $owner
  DETACH DELETE n
}
CALL () {
  MATCH (n:Tool) WHERE n.hindlore_key STARTS WITH $owner
  DETACH DELETE n
}
CALL () {
  MATCH (n:Tag) WHERE n.hindlore_owner = $owner
  REMOVE n.fingerprints
}
CALL () {
  MATCH (n:Learner {hindlore_key: $owner})
  SET n.fingerprints = null, n.lessons = null, n.copying = $copying
}
RETURN lessons, runs, errors
