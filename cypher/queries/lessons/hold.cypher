// Locks a learner, so that decisions about its lessons are serialised, and reads what most of
// them need. `lock` always has this value, so that setting it writes nothing, but it takes the write lock
// before anything is read.
//
// Parameters:
//   $owner: key of the learner
//   $operation: key of the operation whose receipt is wanted, or none
//   $runs: keys of runs
//   $events: keys of errors
//   $steps: keys of steps
//   $step_ids: keys of ids of steps
//   $fingerprints: keys of fingerprints
//   $id_length: length of the id at the end of the key of a fingerprint
// Columns:
//   copying: token of an unfinished copy into the lessons, or none
//   receipts: the properties of the receipt
//   runs: the properties of those runs known by more than their name
//   events: ids of the errors that are there
//   steps: the properties of the steps that are there, each with that of its body in `said`
//   fingerprints: the properties of the fingerprints that are there
//   raised: of each of the runs that met one of the fingerprints the properties of the meeting
// Locks: the learner, until the transaction ends

MATCH (o:Learner {hindlore_key: $owner})
SET o.lock = $owner
WITH o
RETURN
  o.copying AS copying,
  COLLECT {
    MATCH (p:Operation {hindlore_key: $operation})
    RETURN properties(p)
  } AS receipts,
  COLLECT {
    UNWIND $runs AS run
    MATCH (r:Run {hindlore_key: run})
    WHERE r.started_at IS NOT NULL
    RETURN properties(r)
  } AS runs,
  COLLECT {
    UNWIND $events AS event
    MATCH (e:ErrorEvent {hindlore_key: event})
    RETURN e.id
  } AS events,
  COLLECT {
    UNWIND $steps AS step
    MATCH (s:RunStep {hindlore_key: step})
    RETURN s {
      .*,
      said: head(COLLECT {
        MATCH (s)-[:SAYS]->(b:StepBody)
        RETURN b { .action, .description, .metadata }
      })
    } AS step
    UNION
    UNWIND $step_ids AS id
    MATCH (s:RunStep {hindlore_by_id: id})
    RETURN s {
      .*,
      said: head(COLLECT {
        MATCH (s)-[:SAYS]->(b:StepBody)
        RETURN b { .action, .description, .metadata }
      })
    } AS step
  } AS steps,
  COLLECT {
    UNWIND $fingerprints AS print
    MATCH (f:Fingerprint {hindlore_key: print})
    RETURN properties(f)
  } AS fingerprints,
  COLLECT {
    UNWIND $runs AS run
    UNWIND $fingerprints AS print
    MATCH ()-[m:MET {hindlore_key: run + right(print, $id_length)}]->()
    RETURN properties(m)
  } AS raised
