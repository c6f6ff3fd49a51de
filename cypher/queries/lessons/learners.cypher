// Lists the learners of a tenant that have a run, a fingerprint or a lesson, ascending.
// Leaves out a learner with an unfinished copy into its lessons.
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
WHERE o.tenant = $tenant AND o.id > $after AND o.hindlore_key IS NOT NULL AND o.copying IS NULL
  AND EXISTS { (o)-[:HAS_RUN|HAS_FINGERPRINT|HAS_LESSON]->() }
WITH o
ORDER BY o.tenant, o.id LIMIT $limit
RETURN o.id AS learner
