// Reads whether a database is writable.
//
// Parameters:
//   $database: its name
// Columns:
//   access: `read-write` or `read-only`
//   status: whether it is online
// Locks: none

SHOW DATABASES YIELD name, access, currentStatus
WHERE name = $database
RETURN access, currentStatus AS status
