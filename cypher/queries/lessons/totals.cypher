// Counts the rows of a learner: fingerprints from a stored counter, the others from indexes.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $statuses: the words for the statuses
//   $open: where the open runs begin
//   $endings: where the ended runs of each kind begin
//   $verdicts: where the activations of each verdict begin
// Columns:
//   fingerprints: number of fingerprints
//   lessons: number of lessons of each status
//   open_runs: number of open runs
//   ended_runs: number of ended runs of each kind
//   activations: number of activations of each verdict
//   errors: number of errors
//   step_bodies: number of bodies of steps
//   conflicts: number of conflicts that are not settled; a settlement is JSON, in whose texts quotation marks are escaped
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
RETURN coalesce(o.fingerprints, 0) AS fingerprints,
  COLLECT {
    UNWIND $statuses AS status
    CALL (status) {
      MATCH (l:Lesson)
      WHERE l.status = status AND l.hindlore_by_birth STARTS WITH $owner
      RETURN count(*) AS number
    }
    RETURN number
  } AS lessons,
  COUNT {
    MATCH (r:Run)
    WHERE r.hindlore_by_idleness STARTS WITH $open
  } AS open_runs,
  COLLECT {
    UNWIND $endings AS ending
    CALL (ending) {
      MATCH (r:Run)
      WHERE r.hindlore_by_ending STARTS WITH ending
      RETURN count(*) AS number
    }
    RETURN number
  } AS ended_runs,
  COLLECT {
    UNWIND $verdicts AS verdict
    CALL (verdict) {
      MATCH ()-[a:ACTIVATED]->()
      WHERE a.hindlore_by_verdict STARTS WITH verdict
      RETURN count(*) AS number
    }
    RETURN number
  } AS activations,
  COUNT {
    MATCH (e:ErrorEvent)
    WHERE e.hindlore_key STARTS WITH $owner
  } AS errors,
  COUNT {
    MATCH (b:StepBody)
    WHERE b.hindlore_key STARTS WITH $owner
  } AS step_bodies,
  COUNT {
    MATCH ()-[c:CONFLICTS_WITH]->()
    WHERE c.hindlore_pair STARTS WITH $owner
      AND (c.settled IS NULL OR c.settled CONTAINS '"decision":"reopened"')
  } AS conflicts
