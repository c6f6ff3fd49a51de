// What was archived last, and why?
//
// The reason of a removal stands in the body of its delta. What was archived without one was voted out (more
// harmful than helpful votes), or expired, or was pruned as one of the weakest.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   bullet: its id
//   content: its text
//   why: merged, removed, taken back (by an undo), voted out, expired, or pruned
//   into: the bullet that it was merged into
//   reason: the reason that was given for a removal
//   delta: what archived it
//   revision: its number
//   at: when

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (s)-[:HOLDS]->(b:Bullet {status: 'archived'})
WITH b, head(COLLECT {
  MATCH (d:Delta)-[:ARCHIVED|MERGED]->(b)
  RETURN d ORDER BY d.revision DESC LIMIT 1
}) AS d
WITH b, d, coalesce(
  split(d.body, '{"op":"REMOVE","id":"' + b.id + '"')[1],
  split(d.body, '{"op":"REMOVE","id":"' + b.legacy_id + '"')[1]) AS removal
RETURN b.id AS bullet, b.content AS content,
  CASE
    WHEN b.merged_into IS NOT NULL THEN 'merged'
    WHEN removal IS NOT NULL THEN 'removed'
    WHEN d.body CONTAINS '"undo":true' THEN 'taken back'
    WHEN b.harmful > b.helpful THEN 'voted out'
    WHEN b.ttl_days IS NOT NULL AND b.created_at + duration({hours: 24 * b.ttl_days}) <= d.at THEN 'expired'
    ELSE 'pruned'
  END AS why,
  b.merged_into AS into,
  CASE WHEN removal STARTS WITH ',"reason":"' THEN replace(split(replace(substring(removal, 11), '\\"', '\u0001'), '"')[0], '\u0001', '"') END AS reason,
  d.id AS delta, d.revision AS revision, d.at AS at
ORDER BY revision DESC, bullet LIMIT toInteger($limit)
