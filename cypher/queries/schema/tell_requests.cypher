// Tells an operator which requests a transaction is for: SHOW TRANSACTIONS and the query log have it as metadata.
//
// Parameters:
//   $metadata: `requests`, ids of requests
// Columns:
//   none
// Locks: none

CALL tx.setMetaData($metadata)
