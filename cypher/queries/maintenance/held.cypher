// Counts what bears the names or the key of a learner, or of a memory, wherever it hangs. Looks at every node on
// purpose: what a hand has left is reached in no other way.
// A run names the scope in which it ran, and yet belongs to its learner alone.
//
// Parameters:
//   $tenant: the tenant
//   $learner: the learner
//   $scope: the memory, or none for all of the learner
//   $keys: keys of the learner and of memories, or of the one memory
// Columns:
//   kind: what it is
//   nodes: number of nodes of that kind
// Locks: none

MATCH (n)
WHERE (n.tenant = $tenant AND n.learner = $learner
    AND ($scope IS NULL OR (n.scope = $scope AND NOT n:Run)))
  OR n.hindlore_owner IN $keys OR n.hindlore_memory IN $keys OR left(toStringOrNull(n.hindlore_key), size($keys[0])) IN $keys
WITH CASE
  WHEN n:ContextScope THEN 'memory'
  WHEN n:Bullet THEN 'bullet'
  WHEN n:Delta THEN 'delta'
  WHEN n:Retrieval THEN 'retrieval'
  WHEN n:Lesson THEN 'lesson'
  WHEN n:Run AND n.started_at IS NOT NULL THEN 'run'
  WHEN n:ErrorEvent THEN 'error'
  WHEN n:Record AND n.id IS NOT NULL THEN 'record'
  WHEN n:Learner OR n:Policy OR n:FoldedDeltas OR n:Checkpoint OR n:CheckpointPiece OR n:Tag OR n:Topic OR n:Concept OR n:Run OR n:RunStep
    OR n:StepBody OR n:Fingerprint OR n:Task OR n:Domain OR n:Tool OR n:LessonSource OR n:Decision OR n:Review
    OR n:Operation THEN 'part'
  ELSE 'stray'
END AS kind
RETURN kind, count(*) AS nodes
