// Drops a constraint of ours.
//
// Parameters:
//   $name: its name
// Columns:
//   none
// Locks: the schema

DROP CONSTRAINT $name IF EXISTS
