// Takes the texts of the errors of runs away; their fingerprints, channels, tags, numbers and times stay.
//
// Parameters:
//   $runs: keys of runs
// Columns:
//   none
// Locks: the errors

UNWIND $runs AS run
MATCH (e:ErrorEvent)
WHERE e.hindlore_by_run STARTS WITH run
SET e.error = '', e.state = '', e.action = '', e.state_after = '', e.reason = '', e.title = 'an error'
