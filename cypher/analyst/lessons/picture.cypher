// From errors to what was learned from them
//
// A picture: runs, the errors that they raised, the fingerprints that these match, and the lessons for them.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   way: a path from the learner to a lesson

MATCH way = (o:Learner {tenant: $tenant, id: $learner})-[:HAS_RUN]->(r:Run)-[:RAISED]->(e:ErrorEvent)
  -[:MATCHES {level: 'coarse'}]->(f:Fingerprint)<-[:TRIGGERED_BY]-(l:Lesson)
RETURN way
ORDER BY e.at DESC, e.id, l.id LIMIT toInteger($limit)
