// What was rejected, by whom, and does it keep coming back?
//
// A rejected text cannot come back by learning. Each attempt is listed among the refusals of the delta that
// made it.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   bullet: its id
//   content: its text
//   reason: why it was rejected
//   author: who rejected it
//   at: when
//   attempts: deltas after that which brought the text again

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (s)-[:HOLDS]->(b:Bullet {status: 'rejected'})
WITH s, b, head(COLLECT {
  MATCH (d:Delta)-[:REJECTED]->(b)
  RETURN d ORDER BY d.revision DESC LIMIT 1
}) AS d
WITH s, b, d, coalesce(
  split(d.body, '{"op":"REJECT","id":"' + b.id + '","reason":"')[1],
  split(d.body, '{"op":"REJECT","id":"' + b.legacy_id + '","reason":"')[1]) AS rejection
RETURN b.id AS bullet, b.content AS content, replace(split(replace(rejection, '\\"', '\u0001'), '"')[0], '\u0001', '"') AS reason,
  d.author AS author, d.at AS at,
  COUNT {
    MATCH (later:Delta)
    WHERE later.hindlore_memory = s.hindlore_key AND later.revision > d.revision
      AND later.receipt CONTAINS 'the text was rejected as `' + b.id + '`'
  } AS attempts
ORDER BY attempts DESC, bullet LIMIT toInteger($limit)
