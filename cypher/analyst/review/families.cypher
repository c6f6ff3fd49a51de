// Which bullets have swallowed others?
//
// What was merged stays in the graph and leads to its survivor by MERGED_INTO. The votes of a family were added
// up in the survivor.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   bullet: the survivor
//   content: its text
//   status: what became of the survivor
//   members: bullets that it swallowed, over all steps
//   texts: their texts
//   helpful: votes for the family
//   harmful: votes against it

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (a:Bullet)-[x:MERGED_INTO]->(b:Bullet)
WHERE x.hindlore_memory = s.hindlore_key AND x.changed_tick >= 0 AND NOT EXISTS { (b)-[:MERGED_INTO]->() }
WITH DISTINCT b
MATCH (m:Bullet)-[:MERGED_INTO*1..20]->(b)
WITH b, m ORDER BY m.position
WITH b, collect(DISTINCT m.content) AS texts, count(DISTINCT m) AS members
RETURN b.id AS bullet, b.content AS content, b.status AS status, members, texts,
  b.helpful AS helpful, b.harmful AS harmful
ORDER BY members DESC, bullet LIMIT toInteger($limit)
