// Lists the receipts of a tenant, newest first.
//
// Parameters:
//   $start: where those of the tenant begin
//   $behind: what stands behind them
//   $limit: at most this many
// Columns:
//   receipt: its properties
// Locks: none

MATCH (e:Erasure)
WHERE e.by_tenant > $start AND e.by_tenant < $behind
RETURN properties(e) AS receipt
ORDER BY e.by_tenant LIMIT $limit
