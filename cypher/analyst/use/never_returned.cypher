// What has never been returned?
//
// Active bullets that no retrieval returned, the oldest first. Planted bullets are left out.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   bullet: its id
//   content: its text
//   section: where it stands in a playbook
//   source: who or what wrote it
//   age: events since it was made

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (s)-[h:HOLDS]->(b:Bullet {status: 'active'})
WHERE h.retrieved IS NULL AND b.kind <> 'meta_strategy' AND NOT EXISTS { (b)<-[:RETURNED]-() }
RETURN b.id AS bullet, b.content AS content, b.section AS section, b.source AS source,
  s.access_clock - b.created_tick AS age
ORDER BY age DESC, b.position LIMIT toInteger($limit)
