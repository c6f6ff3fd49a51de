// Which bullets are strongest, and by which rules do they fade?
//
// A picture: the memory, the node of its policy, and around it the bullets with the most strength.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   way: a way from the memory

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
CALL (s) {
  MATCH way = (s)-[:HAS_POLICY]->(:Policy)
  RETURN way, 0 AS place, 0.0 AS strength, '' AS id
  UNION ALL
  MATCH way = (s)-[:HOLDS]->(b:Bullet {status: 'active'})
  RETURN way, 1 AS place, b.strength AS strength, b.id AS id
}
RETURN way
ORDER BY place, strength DESC, id LIMIT toInteger($limit)
