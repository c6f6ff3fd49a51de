// What is this memory asked for just now?
//
// The bullets that were returned most in the last events, $window of them. Retrievals that were compacted into
// counts are not seen here.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param window => 100
//   :param limit => 25
// Columns:
//   bullet: its id
//   content: its text
//   returned: times it was returned in the window
//   best_rank: its best rank, 1 is the first
//   mean_score: mean of its scores
//   last_tick: the last event that returned it

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (e:Event)
WHERE e.hindlore_memory = s.hindlore_key AND e.tick > s.access_clock - $window AND e:Retrieval
MATCH (e)-[x:RETURNED]->(b:Bullet)
RETURN b.id AS bullet, b.content AS content, count(x) AS returned, min(x.rank) + 1 AS best_rank,
  avg(x.score) AS mean_score, max(e.tick) AS last_tick
ORDER BY returned DESC, mean_score DESC, bullet LIMIT toInteger($limit)
