// What do playbooks advise, and who speaks for it?
//
// A picture: playbooks, the version that is in force, its strategies, and the trajectories that speak for them or against.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   way: from the learner to a strategy or a trajectory

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_PLAYBOOK]->(p:Playbook)-[:HAS_VERSION]->(v:PlaybookVersion)
WHERE v.number = p.version AND NOT p.archived
CALL (o, p, v) {
  MATCH way = (o)-[:HAS_PLAYBOOK]->(p)-[:HAS_VERSION]->(v)-[c:CONTAINS]->(:Strategy)
  RETURN way, c.position AS position, 0 AS place
  UNION ALL
  MATCH way = (o)-[:HAS_PLAYBOOK]->(p)-[:HAS_VERSION]->(v)-[c:CONTAINS]->(:Strategy)-[:SUPPORTED_BY|OPPOSED_BY]->(:Trajectory)
  RETURN way, c.position AS position, 1 AS place
}
RETURN way
ORDER BY p.name, position, place LIMIT toInteger($limit)
