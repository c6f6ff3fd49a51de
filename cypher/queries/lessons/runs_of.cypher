// Lists runs of an agent, a user, a type of task, an outcome or a parent, newest start first, then by id. Each list has an
// index of its own, and a statement cannot name an index by a parameter: of the branches the one of the list is
// carried out. Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $list: what they are listed by: `agent`, `user`, `task_type`, `status` or `parent`
//   $after: position in the order after which the page starts
//   $end: end of the range of the list
//   $limit: largest number of runs
// Columns:
//   run: the properties of a run
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  WITH $list AS list WHERE list = 'agent'
  MATCH (r:Run)
  WHERE r.hindlore_by_agent > $after AND r.hindlore_by_agent < $end
  RETURN r ORDER BY r.hindlore_by_agent LIMIT $limit
  UNION ALL
  WITH $list AS list WHERE list = 'user'
  MATCH (r:Run)
  WHERE r.hindlore_by_user > $after AND r.hindlore_by_user < $end
  RETURN r ORDER BY r.hindlore_by_user LIMIT $limit
  UNION ALL
  WITH $list AS list WHERE list = 'task_type'
  MATCH (r:Run)
  WHERE r.hindlore_by_task_type > $after AND r.hindlore_by_task_type < $end
  RETURN r ORDER BY r.hindlore_by_task_type LIMIT $limit
  UNION ALL
  WITH $list AS list WHERE list = 'status'
  MATCH (r:Run)
  WHERE r.hindlore_by_status > $after AND r.hindlore_by_status < $end
  RETURN r ORDER BY r.hindlore_by_status LIMIT $limit
  UNION ALL
  WITH $list AS list WHERE list = 'parent'
  MATCH (r:Run)
  WHERE r.hindlore_by_parent > $after AND r.hindlore_by_parent < $end
  RETURN r ORDER BY r.hindlore_by_parent LIMIT $limit
}
RETURN properties(r) AS run
