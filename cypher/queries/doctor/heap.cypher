// Reads the heap usage of the server.
//
// Parameters:
//   $bean: `java.lang:type=Memory`
// Columns:
//   used: bytes in use
//   max: largest size in bytes
// Locks: none

CALL dbms.queryJmx($bean) YIELD attributes
WITH attributes.HeapMemoryUsage.value.properties AS heap
RETURN heap.used AS used, heap.max AS max
