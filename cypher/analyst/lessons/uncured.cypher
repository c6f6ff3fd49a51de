// Which errors come back and have no lesson?
//
// What several runs met and nothing is known against is worth a look by hand.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param least => 2
//   :param limit => 25
// Columns:
//   fingerprint: its id
//   error: its normalised text
//   events: errors that match it
//   runs: runs that met it
//   last_run: the run that met it last

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_FINGERPRINT]->(f:Fingerprint)
WHERE f.events >= $least
  AND NOT EXISTS { (f)<-[:TRIGGERED_BY]-(l:Lesson) WHERE l.status IN ['candidate', 'promoted'] }
RETURN f.id AS fingerprint, f.normalised AS error, f.events AS events, f.runs AS runs,
  head(COLLECT { MATCH (f)<-[:MET]-(r:Run) RETURN r.id ORDER BY r.started_at DESC, r.id LIMIT 1 }) AS last_run
ORDER BY events DESC, fingerprint LIMIT toInteger($limit)
