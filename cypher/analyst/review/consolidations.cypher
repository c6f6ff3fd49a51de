// What did each consolidation save, and what was refused?
//
// One row for each delta of a consolidation, the newest first. A group that the plan refused is in no delta:
// `memory consolidate --dry-run` shows those. Here are the ones that changed between plan and delta.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   consolidation: the run, which a rollback takes, and the number of the batch
//   delta: its id
//   at: when
//   author: who asked, nobody in the background
//   made: bullets that it made
//   sources: bullets that it made them of
//   characters_before: length of the sources
//   characters_after: length of the results
//   refused: why groups were refused

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (d:Delta)
WHERE d.hindlore_memory = s.hindlore_key AND d.revision >= 0 AND d.id STARTS WITH 'consolidate:'
WITH d,
  COLLECT { MATCH (d)-[:ADDED]->(b:Bullet) RETURN size(b.content) } AS results,
  COLLECT { MATCH (d)-[:MERGED]->(b:Bullet) RETURN size(b.content) } AS sources
RETURN d.reasoning AS consolidation, d.id AS delta, d.at AS at, d.author AS author,
  size(results) AS made, size(sources) AS sources,
  reduce(sum = 0, one IN sources | sum + one) AS characters_before,
  reduce(sum = 0, one IN results | sum + one) AS characters_after,
  [part IN split(split(d.receipt, '"refused":')[1], '"reason":"')[1..] | split(part, '"')[0]] AS refused
ORDER BY d.revision DESC LIMIT toInteger($limit)
