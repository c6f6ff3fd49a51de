// Reads a run with its last steps, errors and activations.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $run: key of the run
//   $owner: key of the learner
//   $limit: largest number of rows of each list
// Columns:
//   run: the properties of the run
//   steps: the properties of its steps, each with that of its body in `said`
//   errors: of each of its errors the properties `event`, and the texts of its fingerprints `fine` and `coarse`
//   activations: the properties of its activations
// Locks: none; the caller holds the learner's lock

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  MATCH (r:Run {hindlore_key: $run})
  WHERE r.started_at IS NOT NULL
  RETURN r
}
RETURN properties(r) AS run,
  COLLECT {
    MATCH (s:RunStep)
    WHERE s.hindlore_key STARTS WITH $run
    WITH s
    ORDER BY s.hindlore_key DESC LIMIT $limit
    RETURN s {
      .*,
      said: head(COLLECT {
        MATCH (s)-[:SAYS]->(b:StepBody)
        RETURN b { .action, .description, .metadata }
      })
    }
  } AS steps,
  COLLECT {
    MATCH (e:ErrorEvent)
    WHERE e.hindlore_by_step STARTS WITH $run
    WITH e
    ORDER BY e.hindlore_by_step DESC LIMIT $limit
    RETURN {
      event: properties(e),
      fine: head(COLLECT { MATCH (f:Fingerprint {hindlore_key: $owner + e.fine}) RETURN f.normalised }),
      coarse: head(COLLECT { MATCH (f:Fingerprint {hindlore_key: $owner + e.coarse}) RETURN f.normalised })
    }
  } AS errors,
  COLLECT {
    MATCH ()-[a:ACTIVATED]->()
    WHERE a.hindlore_by_step STARTS WITH $run
    WITH a
    ORDER BY a.hindlore_by_step DESC LIMIT $limit
    RETURN properties(a)
  } AS activations
