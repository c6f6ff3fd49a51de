// Reads some settings of the server.
//
// Parameters:
//   $names: their names
// Columns:
//   name: name of a setting
//   value: its value; null when unset
// Locks: none

SHOW SETTINGS YIELD name, value
WHERE name IN $names
RETURN name, value
