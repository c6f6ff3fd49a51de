// Reads the server's clock. Being the shortest read, it also measures the round trip.
//
// Parameters:
//   none
// Columns:
//   now: milliseconds since 1970
// Locks: none

RETURN datetime.realtime().epochMillis AS now
