// What did an agent do, and where did it fail?
//
// A picture: the $window newest trajectories, with their steps and the errors that they raised.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param window => 100
//   :param limit => 25
// Columns:
//   way: from the learner to a step or an error

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_RUN]->(r:Trajectory)
WITH o, r ORDER BY r.started_at DESC, r.id LIMIT toInteger($window)
CALL (o, r) {
  MATCH way = (o)-[:HAS_RUN]->(r)-[:STEP]->(s:RunStep)
  RETURN way, s.step AS step, 0 AS place
  UNION ALL
  MATCH way = (o)-[:HAS_RUN]->(r)-[:RAISED]->(e:ErrorEvent)
  RETURN way, e.step AS step, 1 AS place
}
RETURN way
ORDER BY r.started_at DESC, r.id, step, place LIMIT toInteger($limit)
