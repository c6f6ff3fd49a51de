// Deletes a piece of the relationships that bear the names or the key of a learner, or of a memory, and hang
// between nodes that do not. Looks at every relationship on purpose: what a hand has left is reached in no other way.
//
// Parameters:
//   $tenant: the tenant
//   $learner: the learner
//   $scope: the memory, or none for all of the learner
//   $keys: keys of the learner and of memories, or of the one memory
//   $piece: largest number of relationships
// Columns:
//   relationships: number of them
// Locks: everything that it deletes

MATCH ()-[r]->()
WHERE (r.tenant = $tenant AND r.learner = $learner AND ($scope IS NULL OR r.scope = $scope))
  OR r.hindlore_owner IN $keys OR r.hindlore_memory IN $keys OR left(toStringOrNull(r.hindlore_key), size($keys[0])) IN $keys
  OR left(toStringOrNull(r.hindlore_pair), size($keys[0])) IN $keys
WITH r LIMIT $piece
DELETE r
RETURN count(*) AS relationships
