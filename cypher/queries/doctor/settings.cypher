// Reads some settings of the server.
//
// Parameters:
//   $names: which
// Columns:
//   name: name of a setting
//   value: its value; absent where it has none
// Locks: none

SHOW SETTINGS YIELD name, value
WHERE name IN $names
RETURN name, value
