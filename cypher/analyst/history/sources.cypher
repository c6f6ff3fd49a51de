// Who taught this memory what, and was it any good?
//
// Source is what wrote the bullet, author who sent the delta, instance the program that applied it. Texts that
// were merged on arrival count for the delta that changed the survivor, not here.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   source: agent, trajectory, import, seed, or another
//   author: who sent the deltas
//   instance: the program that applied them
//   deltas: how many there were
//   bullets: bullets that they made
//   active: how many of those are still active
//   helpful: votes for them
//   harmful: votes against them
//   last: the last of these deltas

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (d:Delta)
WHERE d.hindlore_memory = s.hindlore_key AND d.revision >= 0
MATCH (d)-[:ADDED]->(b:Bullet)
RETURN b.source AS source, d.author AS author, d.instance AS instance, count(DISTINCT d) AS deltas, count(b) AS bullets,
  sum(CASE WHEN b.status = 'active' THEN 1 ELSE 0 END) AS active, sum(b.helpful) AS helpful, sum(b.harmful) AS harmful,
  max(d.at) AS last
ORDER BY bullets DESC, source, author LIMIT toInteger($limit)
