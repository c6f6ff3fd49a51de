// A learner to click from: its memories and the bullets that helped most
//
// A picture. Double-click a node to unfold what hangs on it: deltas, retrievals, tags, linked bullets.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   way: from the learner to a bullet

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope)
MATCH way = (l)-[:HAS_SCOPE]->(s)-[:HOLDS]->(b:Bullet {status: 'active'})
RETURN way
ORDER BY b.helpful - b.harmful DESC, b.id LIMIT toInteger($limit)
