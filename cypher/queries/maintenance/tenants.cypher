// Lists the tenants.
//
// Parameters:
//   $least: a name before all others
// Columns:
//   tenant: a tenant
// Locks: none

MATCH (l:Learner)
WHERE l.tenant > $least AND l.hindlore_key IS NOT NULL
RETURN DISTINCT l.tenant AS tenant ORDER BY tenant
