// What happened in the last runs?
//
// Errors, advice and result of each run. A run that nobody has ended yet is open.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   run: its name
//   task: what was to be done
//   state: open, control, passed, failed or ended
//   steps: how many it took
//   errors: how many of them failed
//   advised: lessons that were given
//   started_at: when it began

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_RUN]->(r:Run)
WHERE r.started_at IS NOT NULL
RETURN r.id AS run, r.task AS task,
  CASE
    WHEN r.ended_at IS NULL THEN 'open'
    WHEN r.control THEN 'control'
    WHEN r.passed THEN 'passed'
    WHEN NOT r.passed THEN 'failed'
    ELSE 'ended'
  END AS state, r.steps AS steps,
  COUNT { (r)-[:RAISED]->() } AS errors,
  COUNT { (r)-[a:ACTIVATED]->() WHERE NOT a.withheld } AS advised,
  r.started_at AS started_at
ORDER BY started_at DESC, run LIMIT toInteger($limit)
