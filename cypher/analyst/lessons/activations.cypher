// What came of the last uses of lessons?
//
// A use is open until its run has ended. From a control run lessons may have been withheld.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   at: when
//   run: in which run
//   step: the step that failed, or 0 before the run
//   rule: what the lesson says
//   lane: strict, or transfer from another domain
//   score: by what it was ranked
//   verdict: helped, neutral, harmed, open or withheld
//   utility: what it brought, from -1 to 1

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_RUN]->(r:Run)
WITH r
MATCH (r)-[a:ACTIVATED]->(l:Lesson)
RETURN a.at AS at, r.id AS run, a.step AS step, l.rule AS rule, a.lane AS lane,
  a.score AS score, a.verdict AS verdict, a.utility AS utility
ORDER BY at DESC, run, step, rule LIMIT toInteger($limit)
