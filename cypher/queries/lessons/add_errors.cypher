// Creates missing errors with their matches, and records which fingerprints their runs raised.
//
// Parameters:
//   $errors: of each error the key of its `run`, all its properties `event`, and of each fingerprint that it `matches` its `key`, the `level`, and `by_time`
//   $meetings: of each new meeting the keys of its `run` and `fingerprint`, and all its properties `met`
//   $earlier: of each other meeting its `key` and `first_step`
// Columns:
//   matched: number of matches that were made
//   met: number of meetings that were made
// Locks: the runs, the fingerprints and the new errors

CALL () {
  UNWIND $errors AS row
  MATCH (r:Run {hindlore_key: row.run})
  CREATE (r)-[:RAISED]->(e:ErrorEvent)
  SET e = row.event
  WITH e, row
  UNWIND row.matches AS match
  MATCH (f:Fingerprint {hindlore_key: match.hindlore_key})
  CREATE (e)-[m:MATCHES {level: match.level}]->(f)
  SET m.hindlore_by_time = match.hindlore_by_time
  RETURN count(m) AS matched
}
CALL () {
  UNWIND $meetings AS row
  WITH row,
    head(COLLECT { MATCH (n:Run {hindlore_key: row.run}) RETURN n }) AS r,
    head(COLLECT { MATCH (n:Fingerprint {hindlore_key: row.fingerprint}) RETURN n }) AS f
  WHERE r IS NOT NULL AND f IS NOT NULL
  CREATE (r)-[m:MET]->(f)
  SET m = row.met
  RETURN count(m) AS met
}
CALL () {
  UNWIND $earlier AS row
  MATCH ()-[m:MET {hindlore_key: row.hindlore_key}]->()
  SET m.first_step = row.first_step
}
RETURN matched, met
