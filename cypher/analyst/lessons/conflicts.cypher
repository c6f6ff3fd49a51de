// Which lessons contradict each other, and which of the two is ahead?
//
// Of two that contradict each other only one is given: the more reliable one, then the one with newer evidence.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   first: one rule
//   first_status: where it stands
//   first_reliability: how far it may be relied on
//   second: the other rule
//   second_status: where it stands
//   second_reliability: how far it may be relied on
//   reason: why they cannot both be followed
//   found_at: when that was found

MATCH (o:Learner {tenant: $tenant, id: $learner})
CALL (o) {
  MATCH (a:Lesson)-[c:CONFLICTS_WITH]->(b:Lesson)
  WHERE c.hindlore_pair STARTS WITH o.hindlore_key
  RETURN a, b, c
}
WITH c, CASE WHEN a.reliability >= b.reliability THEN [a, b] ELSE [b, a] END AS pair
WITH c, pair[0] AS a, pair[1] AS b
RETURN a.rule AS first, a.status AS first_status, a.reliability AS first_reliability,
  b.rule AS second, b.status AS second_status, b.reliability AS second_reliability,
  c.reason AS reason, c.at AS found_at
ORDER BY found_at DESC, first, second LIMIT toInteger($limit)
