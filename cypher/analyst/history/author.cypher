// What did one author teach this memory, and what became of it?
//
// Every bullet that a delta of the author made, the newest first.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param author => 'eve'
//   :param limit => 25
// Columns:
//   at: when the delta was applied
//   delta: the delta
//   bullet: the bullet
//   content: its text
//   status: what became of it: `active`, `archived` or `rejected`
//   helpful: votes for it
//   harmful: votes against it

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (d:Delta)
WHERE d.hindlore_memory = s.hindlore_key AND d.revision >= 0 AND d.author = $author
MATCH (d)-[:ADDED]->(b:Bullet)
RETURN d.at AS at, d.id AS delta, b.id AS bullet, b.content AS content, b.status AS status,
  b.helpful AS helpful, b.harmful AS harmful
ORDER BY d.revision DESC, b.position LIMIT toInteger($limit)
