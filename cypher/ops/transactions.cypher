// What is running now, and what is slow?
//
// Looks at everything that the server holds, all tenants included. Transactions that have been running for
// $slow_ms milliseconds or longer, the slowest first. End one with TERMINATE TRANSACTION and its id.
//
// Parameters:
//   :param slow_ms => 1000
//   :param limit => 25
// Columns:
//   transaction: its id
//   user: who runs it
//   status: Running, Blocked by others, Terminated, or on its way out
//   elapsed_ms: how long it has been running
//   waiting_ms: how long of that it waited for locks
//   locks: locks that it holds or waits for
//   client: where it comes from
//   query: the statement, without its parameters

SHOW TRANSACTIONS YIELD transactionId, username, status, elapsedTime, waitTime, activeLockCount, clientAddress, currentQuery
WHERE elapsedTime.milliseconds >= $slow_ms
RETURN transactionId AS transaction, username AS user, status, elapsedTime.milliseconds AS elapsed_ms,
  waitTime.milliseconds AS waiting_ms, activeLockCount AS locks, clientAddress AS client, currentQuery AS query
ORDER BY elapsed_ms DESC LIMIT toInteger($limit)
