// What is returned again and again and never helps?
//
// Bullets that were returned at least $least times without ever being marked as helpful: they take places in
// prompts. Worth rewording, or removing.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param least => 2
//   :param limit => 25
// Columns:
//   bullet: its id
//   content: its text
//   returned: times it was returned, compacted records included
//   used: times it was said to be used
//   helped: times it was said to have helped
//   harmed: times it was said to have done harm
//   mean_score: mean of its scores in the records that are kept

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (s)-[h:HOLDS]->(b:Bullet {status: 'active'})
CALL (h, b) {
  OPTIONAL MATCH (b)<-[x:RETURNED]-(:Retrieval)
  WITH h, count(x) AS returned, avg(x.score) AS mean_score, sum(toInteger(coalesce(x.used, false))) AS used,
    sum(toInteger(coalesce(x.helped, false))) AS helped, sum(toInteger(coalesce(x.harmed, false))) AS harmed,
    sum(toInteger(coalesce(x.ignored, false))) AS ignored
  RETURN mean_score, returned + coalesce(h.retrieved, 0) AS returned, used + coalesce(h.used, 0) AS used,
    helped + coalesce(h.helped, 0) AS helped, harmed + coalesce(h.harmed, 0) AS harmed,
    ignored + coalesce(h.ignored, 0) AS ignored
}

WITH b, returned, used, helped, harmed, mean_score
WHERE returned >= $least AND helped = 0
RETURN b.id AS bullet, b.content AS content, returned, used, helped, harmed,
  round(mean_score, 3) AS mean_score
ORDER BY returned DESC, harmed DESC, bullet LIMIT toInteger($limit)
