// Reads the name and version of the server.
//
// Parameters:
//   none
// Columns:
//   name: name of the component
//   edition: its edition
//   versions: its versions
// Locks: none

CALL dbms.components() YIELD name, edition, versions
RETURN name, edition, versions
