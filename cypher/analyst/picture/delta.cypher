// What did one delta touch?
//
// A picture: the delta in the middle, around it the bullets that it made, changed, merged, archived or
// rejected. Name it by its revision.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param revision => 1
//   :param limit => 25
// Columns:
//   way: from the delta to a bullet

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (d:Delta)
WHERE d.hindlore_memory = s.hindlore_key AND d.revision = $revision
MATCH way = (d)-[:ADDED|CHANGED|MERGED|ARCHIVED|REJECTED]->(b:Bullet)
RETURN way
ORDER BY b.position LIMIT toInteger($limit)
