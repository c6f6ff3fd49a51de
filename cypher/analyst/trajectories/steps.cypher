// What was done in the last trajectories, step by step?
//
// Decisions, actions and observations in their order, the newest trajectory first. A trajectory of which only the summary
// is kept has no steps.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   trajectory: its id
//   number: number of the step
//   kind: decision, action or observation
//   what: what happened, in words, or the action as it was reported
//   failed: whether it failed
//   error: what it failed with

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_RUN]->(r:Trajectory)-[t:STEP]->(s:Step)
OPTIONAL MATCH (s)-[:SAYS]->(b:StepBody)
RETURN r.id AS trajectory, t.number AS number, s.kind AS kind,
  CASE WHEN b.description <> '' THEN b.description ELSE b.action END AS what, s.failed AS failed,
  head(COLLECT {
    MATCH (r)-[:RAISED]->(e:ErrorEvent)
    WHERE e.step = s.step
    RETURN e.error ORDER BY e.id LIMIT 1
  }) AS error
ORDER BY r.started_at DESC, trajectory, number LIMIT toInteger($limit)
