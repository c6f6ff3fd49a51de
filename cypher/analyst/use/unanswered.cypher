// What was asked, and answered with nothing that helped?
//
// Questions whose returned bullets nobody used or found helpful, the most often asked first. What was asked of an empty
// memory leaves no record.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   query: the question
//   asked: how often
//   last: when it was asked last
//   best: the highest score of what was returned
//   ignored: returned bullets that were passed over or did harm

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (r:Event)
WHERE r.hindlore_memory = s.hindlore_key AND r.tick >= 0 AND r:Retrieval
WITH r, COUNT { (r)-[x:RETURNED]->() WHERE x.used OR x.helped } AS good,
  COUNT { (r)-[x:RETURNED]->() WHERE x.ignored OR x.harmed } AS bad, COLLECT { MATCH (r)-[x:RETURNED]->() RETURN x.score } AS scores
WITH r.query AS query, count(r) AS asked, max(r.at) AS last, sum(good) AS good, sum(bad) AS ignored,
  max(reduce(best = 0.0, score IN scores | CASE WHEN score > best THEN score ELSE best END)) AS best
WHERE good = 0
RETURN query, asked, last, best, ignored
ORDER BY asked DESC, last DESC, query LIMIT toInteger($limit)
