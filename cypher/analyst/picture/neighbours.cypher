// What hangs on one bullet?
//
// A picture: the bullet in the middle, around it what it is linked with, tagged with, changed by and returned
// by. Links that were taken away are left out.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param bullet => 'b_…'
//   :param limit => 25
// Columns:
//   way: from the bullet to a neighbour

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (b:Bullet {hindlore_key: s.hindlore_key + substring($bullet, 2)})
MATCH way = (b)-[:FOLLOWS|SIMILAR_TO|CONFLICTS_WITH|MERGED_INTO|SUPERSEDES|RECONCILED_WITH|CONSOLIDATED_FROM|TAGGED|ABOUT|MENTIONS|ADDED|CHANGED|MERGED|ARCHIVED|REJECTED|RETURNED]-(n)
RETURN way
ORDER BY coalesce(n.tick, 0), n.hindlore_key LIMIT toInteger($limit)
