// Which bullets are strongest now?
//
// Strength fades with the events of the memory, not with time: strength · (1 − rate)^idle, with the rate of the
// memory type in the policy of this memory. The clock is that of the last event.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   bullet: its id
//   content: its text
//   memory_type: decides how fast it fades
//   strength: what it had when it was touched last
//   idle: events since then
//   retention: share of the strength that is left
//   decayed: what is left of the strength
//   helpful: votes for it
//   harmful: votes against it

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (s)-[:HAS_POLICY]->(p:Policy)
MATCH (s)-[:HOLDS]->(b:Bullet {status: 'active'})
WITH b, s.access_clock - coalesce(b.access_index, s.access_clock) AS passed,
  p['rates_' + b.memory_type] AS rate
WITH b, rate, CASE WHEN passed > 0 THEN passed ELSE 0 END AS idle
WITH b, rate, idle, (1 - rate) ^ idle AS retention

RETURN b.id AS bullet, b.content AS content, b.memory_type AS memory_type, b.strength AS strength,
  idle, retention, b.strength * retention AS decayed, b.helpful AS helpful, b.harmful AS harmful
ORDER BY decayed DESC, helpful DESC, bullet LIMIT toInteger($limit)
