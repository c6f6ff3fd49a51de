// What do the playbooks advise, and on how many trajectories does it rest?
//
// The strategies of the newest versions, those with the most trajectories first.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   playbook: the playbook
//   category: to do (helpful), to avoid (harmful), or seen (neutral)
//   strategy: the advice
//   context: when it applies, empty for always
//   worked: trajectories in which it worked
//   failed: trajectories in which it failed

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_PLAYBOOK]->(p:Playbook)-[:HAS_VERSION]->(v:PlaybookVersion)-[c:CONTAINS]->(s:Strategy)
WHERE v.number = p.version AND NOT p.archived
RETURN p.name AS playbook, s.category AS category, s.pattern AS strategy, s.context AS context, s.worked AS worked,
  s.failed AS failed
ORDER BY worked + failed DESC, playbook, c.position LIMIT toInteger($limit)
