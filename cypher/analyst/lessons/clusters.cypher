// Which lessons belong together because they contradict each other?
//
// A cluster is what conflicts join, over at most four of them. It is named after its smallest id.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   cluster: id of its first lesson
//   lessons: how many it has
//   live: how many of them are given
//   rules: what they say

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_LESSON]->(l:Lesson)
WHERE EXISTS { (l)-[:CONFLICTS_WITH]-(:Lesson) }
WITH l, COLLECT {
  MATCH (l)-[:CONFLICTS_WITH*1..4]-(m:Lesson)
  RETURN DISTINCT m.id
} AS others
WITH l, reduce(least = l.id, other IN others | CASE WHEN other < least THEN other ELSE least END) AS cluster
ORDER BY l.id
RETURN cluster, count(*) AS lessons,
  sum(CASE WHEN l.status IN ['candidate', 'promoted'] THEN 1 ELSE 0 END) AS live,
  collect(l.rule) AS rules
ORDER BY lessons DESC, cluster LIMIT toInteger($limit)
