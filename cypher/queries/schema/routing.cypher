// Reads which members of a cluster may be asked for what; a single server names itself alone.
//
// Parameters:
//   $database: the database in question
// Columns:
//   ttl: seconds for which this holds
//   servers: for each role (`WRITE`, `READ`, `ROUTE`) the addresses of the members
// Locks: none

CALL dbms.routing.getRoutingTable({}, $database) YIELD ttl, servers
RETURN ttl, servers
