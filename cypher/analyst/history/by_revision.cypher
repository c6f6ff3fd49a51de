// What did the last deltas do?
//
// One row for each delta, the newest first. Take a revision from here to the question about one delta.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   revision: number of the delta
//   tick: number of the event
//   at: when
//   delta: its id
//   author: who sent it
//   added: bullets that it made
//   changed: bullets that it changed
//   merged: bullets that it merged away
//   archived: bullets that it archived
//   rejected: bullets that it rejected
//   reasoning: why, in the words of its author

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (d:Delta)
WHERE d.hindlore_memory = s.hindlore_key AND d.revision >= 0
RETURN d.revision AS revision, d.tick AS tick, d.at AS at, d.id AS delta, d.author AS author,
  COUNT { (d)-[:ADDED]->() } AS added, COUNT { (d)-[:CHANGED]->() } AS changed, COUNT { (d)-[:MERGED]->() } AS merged,
  COUNT { (d)-[:ARCHIVED]->() } AS archived, COUNT { (d)-[:REJECTED]->() } AS rejected, d.reasoning AS reasoning
ORDER BY revision DESC LIMIT toInteger($limit)
