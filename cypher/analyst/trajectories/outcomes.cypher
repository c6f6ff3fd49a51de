// Which agents fail most, and in what?
//
// Outcomes of ended trajectories by agent and type of task. A trajectory that nobody judged counts as ended only.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   agent: the agent, or nothing where none was named
//   task_type: the type of the task
//   ended: trajectories that ended
//   failures: those that failed
//   partial: those that were done in part
//   successes: those that succeeded
//   score: mean of the scores that were given at their ends
//   last_error: why the last of them failed, where the caller said so

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_RUN]->(r:Trajectory)
WHERE r.ended_at IS NOT NULL
WITH r ORDER BY r.ended_at DESC, r.id
WITH r.agent AS agent, r.task_type AS task_type, count(r) AS ended,
  sum(CASE WHEN r.status = 'failure' THEN 1 ELSE 0 END) AS failures,
  sum(CASE WHEN r.status = 'partial' THEN 1 ELSE 0 END) AS partial,
  sum(CASE WHEN r.status = 'success' THEN 1 ELSE 0 END) AS successes,
  avg(r.score) AS score, head(collect(r.error)) AS last_error
RETURN agent, task_type, ended, failures, partial, successes, score, last_error
ORDER BY failures DESC, ended DESC, agent, task_type LIMIT toInteger($limit)
