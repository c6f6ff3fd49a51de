// Which trajectories should be learned from again?
//
// Somebody said of them that they went better or worse than their stored score says. A reflection takes them out.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   trajectory: its id
//   priority: how urgent it is, up to 10
//   task: the task in words
//   status: its outcome
//   score: the score that was given at its end
//   feedback: how often somebody said something of it
//   started_at: when it began

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_RUN]->(r:Trajectory)
WHERE r.relearning IS NOT NULL
RETURN r.id AS trajectory, r.relearning AS priority, r.intent AS task, r.status AS status, r.score AS score,
  size(coalesce(r.feedback, [])) AS feedback, r.started_at AS started_at
ORDER BY priority DESC, started_at, trajectory LIMIT toInteger($limit)
