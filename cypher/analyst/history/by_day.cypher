// How does the memory grow from day to day?
//
// Days are of UTC. Retrievals that were compacted into counts are no longer seen, so early days may lack them. The
// creation counts as a delta.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   day: the day
//   deltas: deltas on it
//   added: bullets that were made
//   changed: bullets that were changed
//   merged: bullets that were merged away
//   archived: bullets that were archived
//   rejected: bullets that were rejected
//   retrievals: retrievals whose record is kept

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (e:Event)
WHERE e.hindlore_memory = s.hindlore_key AND e.tick >= 0
WITH date(e.at) AS day, e,
  COUNT { (e)-[:ADDED]->() } AS added, COUNT { (e)-[:CHANGED]->() } AS changed, COUNT { (e)-[:MERGED]->() } AS merged,
  COUNT { (e)-[:ARCHIVED]->() } AS archived, COUNT { (e)-[:REJECTED]->() } AS rejected
RETURN day, sum(toInteger(e:Delta)) AS deltas, sum(added) AS added, sum(changed) AS changed, sum(merged) AS merged,
  sum(archived) AS archived, sum(rejected) AS rejected, sum(toInteger(e:Retrieval)) AS retrievals
ORDER BY day DESC LIMIT toInteger($limit)
