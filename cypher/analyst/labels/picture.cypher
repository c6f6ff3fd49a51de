// Which bullets are about the same?
//
// A picture: tags, topics and concepts of the memory with the bullets that have them.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   way: from a bullet to what it is about

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH way = (s)-[:HOLDS]->(b:Bullet {status: 'active'})-[:TAGGED|ABOUT|MENTIONS]->(t)
RETURN way
ORDER BY t.name, b.id LIMIT toInteger($limit)
