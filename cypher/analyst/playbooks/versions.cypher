// How did a playbook come to be what it is?
//
// Its versions, newest first, with what each has that the one before had not.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   playbook: the playbook
//   version: the number
//   at: when it was made
//   reason: what made it
//   author: who made it
//   strategies: how many it has
//   new: advice that the version before had not in this state

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_PLAYBOOK]->(p:Playbook)-[:HAS_VERSION]->(v:PlaybookVersion)
RETURN p.name AS playbook, v.number AS version, v.created_at AS at, v.reason AS reason, v.author AS author,
  v.strategies AS strategies, COLLECT {
    MATCH (v)-[c:CONTAINS]->(s:Strategy)
    WHERE NOT EXISTS { (p)-[:HAS_VERSION]->(:PlaybookVersion {number: v.number - 1})-[:CONTAINS]->(s) }
    RETURN s.pattern ORDER BY c.position
  } AS new
ORDER BY playbook, version DESC LIMIT toInteger($limit)
