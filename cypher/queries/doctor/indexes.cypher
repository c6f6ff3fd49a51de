// Lists the indexes with their state; those of constraints too.
//
// Parameters:
//   none
// Columns:
//   name: name of an index
//   state: `ONLINE`, `POPULATING` or `FAILED`
// Locks: none

SHOW INDEXES YIELD name, state
RETURN name, state
