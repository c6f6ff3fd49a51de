// Which bullets are fading, and how soon are they at half?
//
// Those with the smallest share left come first. Pinned bullets and seed bullets are left out, since they are
// not pruned.
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
//   half_life: events in which a bullet of this type loses half
//   to_half: events until half of the strength is left, 0 when it is past

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (s)-[:HAS_POLICY]->(p:Policy)
MATCH (s)-[:HOLDS]->(b:Bullet {status: 'active'})
WITH b, s.access_clock - coalesce(b.access_index, s.access_clock) AS passed,
  p['rates_' + b.memory_type] AS rate
WITH b, rate, CASE WHEN passed > 0 THEN passed ELSE 0 END AS idle
WITH b, rate, idle, (1 - rate) ^ idle AS retention

WHERE NOT b.pinned AND b.kind <> 'meta_strategy'
WITH b, idle, retention, CASE WHEN rate > 0 AND rate < 1 THEN log(0.5) / log(1 - rate) END AS half_life
RETURN b.id AS bullet, b.content AS content, b.memory_type AS memory_type, b.strength AS strength,
  idle, retention, b.strength * retention AS decayed, round(half_life, 1) AS half_life,
  CASE WHEN idle >= half_life THEN 0 ELSE toInteger(ceil(half_life)) - idle END AS to_half
ORDER BY retention, decayed, bullet LIMIT toInteger($limit)
