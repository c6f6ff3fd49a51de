// Creates or replaces runs, and records the end of a run on the fingerprints that it raised.
//
// Parameters:
//   $owner: key of the learner
//   $runs: of each run all its properties `run`, and `ending`, which stands behind the key of a fingerprint
// Columns:
//   none
// Locks: the learner and the runs

MATCH (o:Learner {hindlore_key: $owner})
UNWIND $runs AS row
MERGE (r:Run {hindlore_key: row.run.hindlore_key})
SET r = row.run, r:Trajectory
MERGE (o)-[:HAS_RUN]->(r)
WITH r, row
MATCH (r)-[m:MET]->(f)
SET m.ended_at = row.run.ended_at, m.hindlore_by_end = f.hindlore_key + row.ending
