// Which bullets contradict each other, and why?
//
// Texts that are alike but for a negation or a pair of opposites. One of each pair is usually wrong: compare
// the votes, then reject it.
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
MATCH (p:Bullet)-[x:CONFLICTS_WITH]->(q:Bullet)
WHERE x.hindlore_memory = s.hindlore_key AND x.changed_tick >= 0 AND p.status = 'active' AND q.status = 'active'
WITH x, CASE WHEN p.position > q.position THEN [p, q] ELSE [q, p] END AS pair
WITH x, pair[0] AS a, pair[1] AS b
RETURN a.id AS bullet, a.content AS content, a.helpful - a.harmful AS votes, b.id AS other, b.content AS other_content,
  b.helpful - b.harmful AS other_votes, round(x.similarity, 3) AS similarity, x.reason AS reason, x.changed_tick AS tick
ORDER BY x.similarity DESC, bullet, other LIMIT toInteger($limit)
