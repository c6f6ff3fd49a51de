// Which errors come back most?
//
// A fingerprint is an error without its literals. Those with a lesson that is given are cared for.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   fingerprint: its id
//   error: its normalised text
//   events: errors that match it
//   runs: runs that met it
//   tags: what kind of failure it is
//   lessons: lessons for it that are given
//   last_at: when it was last seen

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_FINGERPRINT]->(f:Fingerprint)
RETURN f.id AS fingerprint, f.normalised AS error, f.events AS events, f.runs AS runs, f.tags AS tags,
  COUNT { (f)<-[:TRIGGERED_BY]-(l:Lesson) WHERE l.status IN ['candidate', 'promoted'] } AS lessons,
  f.last_at AS last_at
ORDER BY events DESC, fingerprint LIMIT toInteger($limit)
