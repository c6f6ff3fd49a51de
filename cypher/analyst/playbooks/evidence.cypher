// Which trajectories speak for a strategy, and which against it?
//
// Each trajectory behind the strategies of the newest versions, with how it ended.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   strategy: the advice
//   speaks: for, or against
//   trajectory: the trajectory
//   task: its task in words
//   agent: who did it
//   status: how it ended

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_PLAYBOOK]->(p:Playbook)-[:HAS_VERSION]->(v:PlaybookVersion)-[:CONTAINS]->(s:Strategy)
WHERE v.number = p.version AND NOT p.archived
MATCH (s)-[e:SUPPORTED_BY|OPPOSED_BY]->(r:Trajectory)
RETURN s.pattern AS strategy, CASE type(e) WHEN 'SUPPORTED_BY' THEN 'for' ELSE 'against' END AS speaks, r.id AS trajectory,
  r.intent AS task, r.agent AS agent, r.status AS status
ORDER BY strategy, speaks DESC, trajectory LIMIT toInteger($limit)
