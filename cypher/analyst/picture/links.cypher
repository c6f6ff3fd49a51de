// Which bullets are linked with which?
//
// A picture of all conflicts, look-alikes, merges, replaced values and settled conflicts of a memory, the newest first.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   way: two linked bullets

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
CALL (s) {
  MATCH way = (:Bullet)-[x:CONFLICTS_WITH]->(:Bullet)
  WHERE x.hindlore_memory = s.hindlore_key AND x.changed_tick >= 0
  RETURN way, x.changed_tick AS tick
  UNION ALL
  MATCH way = (:Bullet)-[x:SIMILAR_TO]->(:Bullet)
  WHERE x.hindlore_memory = s.hindlore_key AND x.changed_tick >= 0
  RETURN way, x.changed_tick AS tick
  UNION ALL
  MATCH way = (:Bullet)-[x:MERGED_INTO]->(:Bullet)
  WHERE x.hindlore_memory = s.hindlore_key AND x.changed_tick >= 0
  RETURN way, x.changed_tick AS tick
  UNION ALL
  MATCH way = (:Bullet)-[x:SUPERSEDES]->(:Bullet)
  WHERE x.hindlore_memory = s.hindlore_key AND x.changed_tick >= 0
  RETURN way, x.changed_tick AS tick
  UNION ALL
  MATCH way = (:Bullet)-[x:RECONCILED_WITH]->(:Bullet)
  WHERE x.hindlore_memory = s.hindlore_key AND x.changed_tick >= 0
  RETURN way, x.changed_tick AS tick
  UNION ALL
  MATCH way = (:Bullet)-[x:CONSOLIDATED_FROM]->(:Bullet)
  WHERE x.hindlore_memory = s.hindlore_key AND x.changed_tick >= 0
  RETURN way, x.changed_tick AS tick
}
RETURN way
ORDER BY tick DESC LIMIT toInteger($limit)
