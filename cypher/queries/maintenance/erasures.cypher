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
WHERE e.by_tenant > $start AND e.by_tenant < $behind
RETURN properties(e) AS receipt
ORDER BY e.by_tenant LIMIT $limit
