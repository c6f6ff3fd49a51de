// How often is what is returned of use?
//
// Feedback names what became of a returned bullet. Where no feedback is given, the marks stay at 0 whatever
// happened.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   bullet: its id
//   content: its text
//   returned: times it was returned, compacted records included
//   used: times it was said to be used
//   helped: times it was said to have helped
//   harmed: times it was said to have done harm
//   ignored: times it was said to be ignored
//   hit_rate: share of the returns that were used or helped

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

WITH b, returned, used, helped, harmed, ignored
WHERE returned > 0
WITH b, returned, used, helped, harmed, ignored, CASE WHEN used > helped THEN used ELSE helped END AS hits
RETURN b.id AS bullet, b.content AS content, returned, used, helped, harmed, ignored,
  round(toFloat(hits) / returned, 3) AS hit_rate
ORDER BY returned DESC, hit_rate DESC, bullet LIMIT toInteger($limit)
