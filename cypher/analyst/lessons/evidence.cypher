// Why was a lesson promoted, suppressed or archived?
//
// What each decision rests on, in numbers. Its rows stand in the property evidence of the decision, from which it can
// be derived again. Both proofs stand in proof. What a person decided is a review.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   at: when
//   rule: what the lesson says
//   change: from which status to which
//   reason: why, or what the reviewer says
//   outcomes: settled uses
//   runs: relevant runs
//   mean: mean utility
//   lower: lower bound of the share of runs in which the advice was followed and worked
//   recurrence_with: share of runs with the lesson in which its errors came
//   recurrence_without: the same without it

MATCH (o:Learner {tenant: $tenant, id: $learner})-[:HAS_LESSON]->(l:Lesson)
WITH l
MATCH (l)-[:DECIDED|REVIEWED]->(d)
RETURN d.at AS at, l.rule AS rule, d.from_status + ' → ' + d.to_status AS change,
  coalesce(d.reason, d.note, 'review') AS reason, d.outcomes AS outcomes, d.relevant_runs AS runs,
  d.mean_utility AS mean, d.lower AS lower,
  d.recurrence_with AS recurrence_with, d.recurrence_without AS recurrence_without
ORDER BY at DESC, rule, change LIMIT toInteger($limit)
