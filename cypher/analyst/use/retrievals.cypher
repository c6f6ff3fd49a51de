// What was asked, and what came of it?
//
// The newest retrievals whose records are kept. A retrieval that found nothing takes no tick and leaves no
// record.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   tick: number of the event
//   at: when
//   query: what was asked
//   profile: how it was ranked
//   returned: how many bullets came back
//   best_score: score of the first
//   best: its text
//   used: how many were said to be used
//   helped: how many helped
//   harmed: how many did harm
//   retrieval: its id, for feedback

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (r:Event)
WHERE r.hindlore_memory = s.hindlore_key AND r.tick >= 0 AND r:Retrieval
WITH r ORDER BY r.tick DESC LIMIT toInteger($limit)
MATCH (r)-[x:RETURNED]->(b:Bullet)
WITH r, x, b ORDER BY x.rank
RETURN r.tick AS tick, r.at AS at, r.query AS query, r.profile AS profile, count(x) AS returned,
  max(x.score) AS best_score, head(collect(b.content)) AS best,
  sum(toInteger(coalesce(x.used, false))) AS used, sum(toInteger(coalesce(x.helped, false))) AS helped,
  sum(toInteger(coalesce(x.harmed, false))) AS harmed, r.id AS retrieval
ORDER BY tick DESC
