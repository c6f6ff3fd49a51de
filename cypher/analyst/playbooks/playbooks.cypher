// Which playbooks does a learner have, and how do they do?
//
// Active ones first, each with its newest version, its strategies, and what came of its uses.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   playbook: its name
//   version: the number of its newest version
//   strategies: how many strategies that version has
//   scope: for whom it is meant
//   visibility: who may read it
//   uses: how often a use was reported
//   success: the success rate of its uses, 0 to 1
//   analysed: from how many trajectories it was curated
//   archived: whether it was deleted

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_PLAYBOOK]->(p:Playbook)
OPTIONAL MATCH (p)-[:HAS_VERSION]->(v:PlaybookVersion {number: p.version})
RETURN p.name AS playbook, p.version AS version, v.strategies AS strategies, p.scope AS scope, p.visibility AS visibility,
  p.usage_count AS uses, CASE WHEN p.usage_count > 0 THEN p.worked / p.usage_count END AS success, p.analysed AS analysed, p.archived AS archived
ORDER BY archived, playbook LIMIT toInteger($limit)
