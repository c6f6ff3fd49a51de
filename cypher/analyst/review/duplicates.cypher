// Which bullets look alike and wait for a decision?
//
// Texts that are alike but differ in a number, a quoted string, an identifier or a kind are never merged by
// themselves. Keep both, remove one, or give both the same text to merge them.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   bullet: the later of the two
//   content: its text
//   votes: helpful less harmful
//   other: the bullet that it resembles
//   other_content: its text
//   other_votes: helpful less harmful
//   similarity: share of the words that both have
//   reason: what keeps them apart
//   tick: event that linked them

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (p:Bullet)-[x:SIMILAR_TO]->(q:Bullet)
WHERE x.hindlore_memory = s.hindlore_key AND x.changed_tick >= 0 AND p.status = 'active' AND q.status = 'active'
WITH x, CASE WHEN p.position > q.position THEN [p, q] ELSE [q, p] END AS pair
WITH x, pair[0] AS a, pair[1] AS b
RETURN a.id AS bullet, a.content AS content, a.helpful - a.harmful AS votes, b.id AS other, b.content AS other_content,
  b.helpful - b.harmful AS other_votes, round(x.similarity, 3) AS similarity, x.reason AS reason, x.changed_tick AS tick
ORDER BY x.similarity DESC, bullet, other LIMIT toInteger($limit)
