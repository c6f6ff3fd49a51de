// Asks the server what time it is; also the shortest question that there is, to time its way.
//
// Parameters:
//   none
// Columns:
//   now: milliseconds since 1970
// Locks: none

RETURN datetime.realtime().epochMillis AS now
