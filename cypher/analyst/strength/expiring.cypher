// Which bullets expire next?
//
// A bullet with a time to live is no longer returned once that is over, and is archived by the next delta.
// Pinned bullets are exempt. Days are counted from now by the clock of the server.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   bullet: its id
//   content: its text
//   ttl_days: days that it lives
//   expires_at: when that is over
//   days_left: days until then, below 0 when it is past
//   obeyed: whether it will expire: not pinned, and the policy says so

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (s)-[:HAS_POLICY]->(p:Policy)
MATCH (s)-[:HOLDS]->(b:Bullet {status: 'active'})
WHERE b.ttl_days IS NOT NULL
WITH p, b, b.created_at + duration({hours: 24 * b.ttl_days}) AS expires_at
RETURN b.id AS bullet, b.content AS content, b.ttl_days AS ttl_days, expires_at,
  round((expires_at.epochMillis - timestamp()) / 86400000.0, 1) AS days_left,
  NOT b.pinned AND p.expiry AS obeyed
ORDER BY expires_at, bullet LIMIT toInteger($limit)
