// Lists the constraints by name.
//
// Parameters:
//   none
// Columns:
//   name: name of a constraint
// Locks: none

SHOW CONSTRAINTS YIELD name
RETURN name
