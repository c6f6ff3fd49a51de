// Who waits for whom?
//
// Looks at everything that the server holds, all tenants included. A transaction that is blocked names those
// that hold what it waits for. One memory is locked by one writer at a time, so a short queue is normal, a long
// one means a writer that does not end.
//
// Parameters:
//   :param limit => 25
// Columns:
//   transaction: its id
//   status: Running, or Blocked by and the ids of those it waits for
//   waiting_ms: how long it has been waiting for locks
//   elapsed_ms: how long it has been running
//   locks: locks that it holds or waits for
//   query: the statement, without its parameters

SHOW TRANSACTIONS YIELD transactionId, status, elapsedTime, waitTime, activeLockCount, currentQuery
WHERE status STARTS WITH 'Blocked' OR activeLockCount > 0
RETURN transactionId AS transaction, status, waitTime.milliseconds AS waiting_ms,
  elapsedTime.milliseconds AS elapsed_ms, activeLockCount AS locks, currentQuery AS query
ORDER BY waiting_ms DESC, elapsed_ms DESC LIMIT toInteger($limit)
