// Deletes one piece of each kind of a learner's lesson nodes of which at least a whole piece exists.
//
// Parameters:
//   $owner: key of the learner
//   $piece: number of nodes of one kind
// Columns:
//   lessons: number of lessons
//   runs: number of runs known by more than their name
//   errors: number of errors
//   nodes: number of nodes of all kinds
// Locks: everything that it deletes

CALL () {
  MATCH (n:ErrorEvent) WHERE n.hindlore_key STARTS WITH $owner
  WITH n LIMIT $piece
  WITH collect(n) AS found
  UNWIND CASE size(found) WHEN $piece THEN found ELSE [] END AS n
  DETACH DELETE n
  RETURN count(*) AS errors
}
CALL () {
  MATCH (n:RunStep) WHERE n.hindlore_key STARTS WITH $owner
  WITH n LIMIT $piece
  WITH collect(n) AS found
  UNWIND CASE size(found) WHEN $piece THEN found ELSE [] END AS n
  DETACH DELETE n
  RETURN count(*) AS steps
}
CALL () {
  MATCH (n:StepBody) WHERE n.hindlore_key STARTS WITH $owner
  WITH n LIMIT $piece
  WITH collect(n) AS found
  UNWIND CASE size(found) WHEN $piece THEN found ELSE [] END AS n
  DETACH DELETE n
  RETURN count(*) AS bodies
}
CALL () {
  MATCH (n:LessonSource) WHERE n.hindlore_key STARTS WITH $owner
  WITH n LIMIT $piece
  WITH collect(n) AS found
  UNWIND CASE size(found) WHEN $piece THEN found ELSE [] END AS n
  DETACH DELETE n
  RETURN count(*) AS sources
}
CALL () {
  MATCH (n:Decision) WHERE n.hindlore_key STARTS WITH $owner
  WITH n LIMIT $piece
  WITH collect(n) AS found
  UNWIND CASE size(found) WHEN $piece THEN found ELSE [] END AS n
  DETACH DELETE n
  RETURN count(*) AS decisions
}
CALL () {
  MATCH (n:Review) WHERE n.hindlore_key STARTS WITH $owner
  WITH n LIMIT $piece
  WITH collect(n) AS found
  UNWIND CASE size(found) WHEN $piece THEN found ELSE [] END AS n
  DETACH DELETE n
  RETURN count(*) AS reviews
}
CALL () {
  MATCH (n:Operation) WHERE n.hindlore_key STARTS WITH $owner
  WITH n LIMIT $piece
  WITH collect(n) AS found
  UNWIND CASE size(found) WHEN $piece THEN found ELSE [] END AS n
  DETACH DELETE n
  RETURN count(*) AS operations
}
CALL () {
  MATCH (n:Lesson) WHERE n.hindlore_key STARTS WITH $owner
  WITH n LIMIT $piece
  WITH collect(n) AS found
  UNWIND CASE size(found) WHEN $piece THEN found ELSE [] END AS n
  DETACH DELETE n
  RETURN count(*) AS lessons
}
CALL () {
  MATCH (n:Run) WHERE n.hindlore_key STARTS WITH $owner
  WITH n LIMIT $piece
  WITH collect(n) AS found
  UNWIND CASE size(found) WHEN $piece THEN found ELSE [] END AS n
  WITH n, n.started_at IS NOT NULL AS is_known
  DETACH DELETE n
  RETURN count(*) AS names, sum(toInteger(is_known)) AS runs
}
CALL () {
  MATCH (n:Fingerprint) WHERE n.hindlore_key STARTS WITH $owner
  WITH n LIMIT $piece
  WITH collect(n) AS found
  UNWIND CASE size(found) WHEN $piece THEN found ELSE [] END AS n
  DETACH DELETE n
  RETURN count(*) AS fingerprints
}
RETURN lessons, runs, errors,
  errors + steps + bodies + sources + decisions + reviews + operations + lessons + names + fingerprints AS nodes
