// Reads the runs to compare with: the last ones of a task, and of a domain with a tool, whatever came out of them.
//
// Parameters:
//   $task: where the ended runs of the task begin, or none
//   $domain: where the ended runs of the domain with the tool begin, or none
//   $limit: largest number of runs of a task, and of a domain
// Columns:
//   run: the properties of a run
// Locks: none; the caller holds the learner's lock

CALL () {
  MATCH (r:Run)
  WHERE r.hindlore_by_task STARTS WITH $task
  WITH r
  ORDER BY r.hindlore_by_task DESC LIMIT $limit
  RETURN r
  UNION
  MATCH (r:Run)
  WHERE r.hindlore_by_domain STARTS WITH $domain
  WITH r
  ORDER BY r.hindlore_by_domain DESC LIMIT $limit
  RETURN r
}
RETURN properties(r) AS run
