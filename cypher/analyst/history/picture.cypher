// How did the deltas follow each other, and what did they touch?
//
// A picture: the chain of deltas from the memory on, the newest first, with the bullets that each changed, merged,
// archived or rejected. Bullets that were only added are left out.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   way: a link of the chain, or from a delta to a bullet

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
CALL (s) {
  MATCH (d:Delta)
  WHERE d.hindlore_memory = s.hindlore_key AND d.revision >= 0
  MATCH way = (d)<-[:HISTORY|NEXT]-()
  RETURN way, d.revision AS revision, 0 AS place
  UNION ALL
  MATCH (d:Delta)
  WHERE d.hindlore_memory = s.hindlore_key AND d.revision >= 0
  MATCH way = (d)-[:CHANGED|MERGED|ARCHIVED|REJECTED]->(:Bullet)
  RETURN way, d.revision AS revision, 1 AS place
}
RETURN way
ORDER BY revision DESC, place LIMIT toInteger($limit)
