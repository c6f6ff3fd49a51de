// Drops an index of ours.
//
// Parameters:
//   $name: its name
// Columns:
//   none
// Locks: the schema

DROP INDEX $name IF EXISTS
