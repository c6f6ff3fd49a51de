// What contradicts each other, and what was put aside?
//
// A picture: bullets in conflict, and what deltas archived, merged away or rejected, the newest first.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   way: a conflict, or from a delta to a bullet

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
CALL (s) {
  MATCH way = (:Bullet {status: 'active'})-[x:CONFLICTS_WITH]->(:Bullet {status: 'active'})
  WHERE x.hindlore_memory = s.hindlore_key AND x.changed_tick >= 0
  RETURN way, x.changed_tick AS tick
  UNION ALL
  MATCH way = (d:Delta)-[:ARCHIVED|MERGED|REJECTED]->(b:Bullet)
  WHERE d.hindlore_memory = s.hindlore_key AND d.revision >= 0 AND b.status <> 'active'
  RETURN way, d.tick AS tick
}
RETURN way
ORDER BY tick DESC LIMIT toInteger($limit)
