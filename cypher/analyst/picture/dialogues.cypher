// Which bullets were written one after the other?
//
// A picture with a table behind it: chains of FOLLOWS, as an imported dialogue or trace leaves them, the
// longest first.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   chain: from the last bullet to the first
//   length: bullets in it
//   first: text of the first
//   last: text of the last

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (s)-[:HOLDS]->(b:Bullet)
WHERE NOT EXISTS { (b)-[:FOLLOWS]->() } AND EXISTS { (b)<-[:FOLLOWS]-() }
MATCH chain = (e:Bullet)-[:FOLLOWS*1..1000]->(b)
WHERE NOT EXISTS { (e)<-[:FOLLOWS]-() }
RETURN chain, length(chain) + 1 AS length, b.content AS first, e.content AS last
ORDER BY length DESC, first LIMIT toInteger($limit)
