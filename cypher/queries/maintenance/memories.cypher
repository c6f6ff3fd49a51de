// Lists the memories of a tenant, with their bullets by status; leaves out unfinished copies.
//
// Parameters:
//   $tenant: the tenant
//   $active: the word for active
//   $archived: the word for archived
//   $rejected: the word for rejected
// Columns:
//   head: the properties of a memory
//   active: number of its active bullets
//   archived: number of its archived bullets
//   rejected: number of its rejected bullets
// Locks: none

MATCH (l:Learner)
WHERE l.tenant = $tenant AND l.hindlore_key IS NOT NULL
MATCH (l)-[:HAS_SCOPE]->(s:ContextScope)
WHERE s.copying IS NULL
WITH s, COLLECT {
  MATCH (s)-[:HOLDS]->(b:Bullet)
  RETURN b.status
} AS statuses
RETURN properties(s) AS head,
  size([status IN statuses WHERE status = $active]) AS active,
  size([status IN statuses WHERE status = $archived]) AS archived,
  size([status IN statuses WHERE status = $rejected]) AS rejected
