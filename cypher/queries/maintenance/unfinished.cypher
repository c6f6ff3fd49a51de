// Lists the unfinished copies and erases of a tenant.
//
// Parameters:
//   $tenant: the tenant
// Columns:
//   learner: id of a learner
//   scopes: scopes that a copy goes into
//   lessons: whether a copy goes into the lessons of the learner
//   erasing: whether a piece of the learner was erased and not the rest
// Locks: none

MATCH (l:Learner)
WHERE l.tenant = $tenant AND l.hindlore_key IS NOT NULL
WITH l, COLLECT {
  MATCH (l)-[:HAS_SCOPE]->(s:ContextScope)
  WHERE s.copying IS NOT NULL
  RETURN s.scope ORDER BY s.scope
} AS scopes
WHERE size(scopes) > 0 OR l.copying IS NOT NULL OR l.erased IS NOT NULL
RETURN l.id AS learner, scopes, l.copying IS NOT NULL AS lessons, l.erased IS NOT NULL AS erasing
ORDER BY learner
