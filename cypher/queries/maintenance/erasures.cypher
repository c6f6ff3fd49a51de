// Lists the receipts of a tenant, newest first.
//
// Parameters:
//   $start: prefix of the tenant's receipts
//   $behind: end of their range
//   $limit: at most this many
// Columns:
//   receipt: its properties
// Locks: none

MATCH (e:Erasure)
WHERE e.hindlore_by_tenant > $start AND e.hindlore_by_tenant < $behind
RETURN properties(e) AS receipt
ORDER BY e.hindlore_by_tenant LIMIT $limit
