// Who has a memory here, and how much is in it?
//
// Begin here: the names in it are what the other questions take as parameters.
//
// Parameters:
//   :param tenant => 'default'
//   :param limit => 25
// Columns:
//   learner: whose memory it is
//   scope: the part of it that is kept apart
//   active: bullets that can be retrieved
//   archived: bullets that were merged, removed, pruned, or expired
//   rejected: bullets whose text cannot come back by learning
//   revision: number of the last delta
//   clock: number of the last event, a delta or a retrieval
//   retrievals: retrievals whose record is still kept
//   since: when the memory was made

MATCH (l:Learner {tenant: $tenant})-[:HAS_SCOPE]->(s:ContextScope)
RETURN l.id AS learner, s.scope AS scope,
  COUNT { (s)-[:HOLDS]->(b:Bullet) WHERE b.status = 'active' } AS active,
  COUNT { (s)-[:HOLDS]->(b:Bullet) WHERE b.status = 'archived' } AS archived,
  COUNT { (s)-[:HOLDS]->(b:Bullet) WHERE b.status = 'rejected' } AS rejected,
  s.revision AS revision, s.access_clock AS clock,
  COUNT { (s)-[:HAS_RETRIEVAL]->() } AS retrievals,
  s.created_at AS since
ORDER BY learner, scope LIMIT toInteger($limit)
