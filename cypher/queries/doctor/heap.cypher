// Reads how full the heap of the server is.
//
// Parameters:
//   $bean: `java.lang:type=Memory`
// Columns:
//   used: bytes in use
//   max: bytes that there may be
// Locks: none

CALL dbms.queryJmx($bean) YIELD attributes
WITH attributes.HeapMemoryUsage.value.properties AS heap
RETURN heap.used AS used, heap.max AS max
