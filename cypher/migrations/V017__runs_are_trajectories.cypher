// Every run that is there becomes a trajectory with its place among those of its outcome, and its steps hang on it by
// their numbers.

MATCH (r:Run)
WHERE r.key > $after AND r.started_at IS NOT NULL
WITH r ORDER BY r.key LIMIT $limit
RETURN r.key AS key, r.tenant AS tenant, r.learner AS learner, r.id AS id, r.started_at AS started_at,
  r.passed AS passed;

UNWIND $rows AS row
MATCH (r:Run {key: row.key})
SET r:Trajectory, r.status = row.status, r.by_status = row.by_status;

MATCH (s:RunStep)
WHERE s.key > $after
WITH s ORDER BY s.key LIMIT $limit
RETURN s.key AS key;

UNWIND $rows AS row
MATCH (s:RunStep {key: row.key})<-[t:TOOK]-(r:Run)
SET s:Step
MERGE (r)-[:STEP {number: s.step}]->(s)
DELETE t;
