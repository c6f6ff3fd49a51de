// Lists the learners of a tenant that have a record, ascending.
//
// Parameters:
//   $tenant: the tenant
//   $after: the name after which the page begins
//   $limit: largest number of names
// Columns:
//   learner: a name
// Locks: none

MATCH (o:Learner)
USING INDEX o:Learner(tenant, id)
WHERE o.tenant = $tenant AND o.id > $after AND o.hindlore_key IS NOT NULL
  AND EXISTS { MATCH (n:Record) WHERE n.hindlore_key STARTS WITH o.hindlore_key }
WITH o
ORDER BY o.tenant, o.id LIMIT $limit
RETURN o.id AS learner
