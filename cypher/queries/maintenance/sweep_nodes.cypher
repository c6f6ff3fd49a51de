// Deletes a piece of what bears the names or the key of a learner, or of a memory, wherever it hangs and whatever
// its label. Looks at every node on purpose: what a hand has left is reached in no other way.
// A run names the scope in which it ran, and yet belongs to its learner alone.
//
// Parameters:
//   $tenant: the tenant
//   $learner: the learner
//   $scope: the memory, or none for all of the learner
//   $keys: keys of the learner and of memories, or of the one memory
//   $piece: largest number of nodes
// Columns:
//   kind: what it was
//   nodes: number of nodes of that kind
// Locks: everything that it deletes

MATCH (n)
WHERE (n.tenant = $tenant AND n.learner = $learner
    AND ($scope IS NULL OR (n.scope = $scope AND NOT n:Run)))
  OR n.hindlore_owner IN $keys OR n.hindlore_memory IN $keys OR left(toStringOrNull(n.hindlore_key), size($keys[0])) IN $keys
WITH n LIMIT $piece
WITH n, CASE
  WHEN n:ContextScope THEN 'memory'
  WHEN n:Bullet THEN 'bullet'
  WHEN n:Delta THEN 'delta'
  WHEN n:Retrieval THEN 'retrieval'
  WHEN n:Lesson THEN 'lesson'
  WHEN n:Run AND n.started_at IS NOT NULL THEN 'run'
  WHEN n:ErrorEvent THEN 'error'
  WHEN n:Record AND n.id IS NOT NULL THEN 'record'
  WHEN n:Learner THEN 'learner'
  ELSE 'stray'
END AS kind
DETACH DELETE n
RETURN kind, count(*) AS nodes
