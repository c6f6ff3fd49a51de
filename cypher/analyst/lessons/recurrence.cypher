// Do errors come back less where a lesson was active?
//
// Errors per run that met the fingerprint, in runs in which a lesson for it was active and in runs in which none
// was. The difference is what a lesson is judged by, and runs before its birth count as runs without it.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   error: normalised text of a fingerprint
//   runs_with: runs that met it with a lesson active for it
//   errors_with: errors per such run
//   runs_without: runs that met it without
//   errors_without: errors per such run

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_FINGERPRINT]->(f:Fingerprint)
MATCH (f)<-[:MET]-(r:Run)
WITH f, r,
  EXISTS { (r)-[a:ACTIVATED]->(:Lesson)-[:TRIGGERED_BY]->(f) WHERE NOT a.withheld } AS is_active,
  COUNT { (r)-[:RAISED]->(:ErrorEvent)-[m:MATCHES]->(f) WHERE m.hindlore_by_time IS NOT NULL } AS errors
WITH f,
  sum(CASE WHEN is_active THEN 1 ELSE 0 END) AS runs_with,
  sum(CASE WHEN is_active THEN errors ELSE 0 END) AS with_lesson,
  sum(CASE WHEN is_active THEN 0 ELSE 1 END) AS runs_without,
  sum(CASE WHEN is_active THEN 0 ELSE errors END) AS without_lesson
RETURN f.normalised AS error, runs_with,
  CASE WHEN runs_with > 0 THEN toFloat(with_lesson) / runs_with END AS errors_with, runs_without,
  CASE WHEN runs_without > 0 THEN toFloat(without_lesson) / runs_without END AS errors_without
ORDER BY runs_with + runs_without DESC, error LIMIT toInteger($limit)
