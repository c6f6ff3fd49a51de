// Reads the runs to compare with: the last ones of a task, of a domain with a tool, of fingerprints, and
// those in which lessons were active.
//
// Parameters:
//   $task: where the ended runs of the task begin, or none
//   $domain: where the ended runs of the domain with the tool begin, or none
//   $fingerprints: keys of fingerprints
//   $lessons: keys of lessons
//   $limit: largest number of runs of a task, of a domain, and of one lesson
//   $per_fingerprint: most runs of one fingerprint
// Columns:
//   run: the properties of a run, open ones among them
// Locks: none; the caller holds the learner's lock

CALL () {
  MATCH (r:Run)
  WHERE r.by_task STARTS WITH $task
  WITH r
  ORDER BY r.by_task DESC LIMIT $limit
  RETURN r
  UNION
  MATCH (r:Run)
  WHERE r.by_domain STARTS WITH $domain
  WITH r
  ORDER BY r.by_domain DESC LIMIT $limit
  RETURN r
  UNION
  UNWIND $fingerprints AS print
  CALL (print) {
    MATCH (r)-[m:MET]->()
    WHERE m.by_end STARTS WITH print
    WITH r, m
    ORDER BY m.by_end DESC LIMIT $per_fingerprint
    RETURN r
  }
  RETURN r
  UNION
  UNWIND $lessons AS lesson
  CALL (lesson) {
    MATCH (r)-[a:ACTIVATED]->()
    WHERE a.by_age STARTS WITH lesson
    WITH r, a
    ORDER BY a.by_age DESC LIMIT $limit
    RETURN r
  }
  RETURN r
}
RETURN properties(r) AS run
