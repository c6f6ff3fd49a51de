// What was asked last, and what was returned?
//
// A picture: retrievals, the newest first, with the bullets that they returned and what became of them.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   way: from a retrieval to a bullet

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH way = (s)-[:HAS_RETRIEVAL]->(r:Retrieval)-[x:RETURNED]->(:Bullet)
RETURN way
ORDER BY r.tick DESC, x.rank LIMIT toInteger($limit)
