// Lists what was begun with memories of a tenant and has not ended: copies into them, and erasures.
//
// Parameters:
//   $tenant: the tenant
// Columns:
//   learner: id of a learner
//   scopes: scopes that a copy goes into
//   erasing: whether a piece of the learner was erased and not the rest
// Locks: none

MATCH (l:Learner)
WHERE l.tenant = $tenant
WITH l, COLLECT {
  MATCH (l)-[:HAS_SCOPE]->(s:ContextScope)
  WHERE s.copying IS NOT NULL
  RETURN s.scope ORDER BY s.scope
} AS scopes
WHERE size(scopes) > 0 OR l.erased IS NOT NULL
RETURN l.id AS learner, scopes, l.erased IS NOT NULL AS erasing
ORDER BY learner
