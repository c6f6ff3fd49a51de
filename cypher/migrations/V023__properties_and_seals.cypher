// What older engines wrote as JSON becomes properties: the policy of each memory on a node of its own, beside the text that
// the engine reads, and the metrics of each run on the run. The marks of feedback are told once more, and deltas get a
// seal on who wrote them and when, so that an edit of these is noticed.

MATCH (s:ContextScope)
WHERE s.hindlore_key > $after AND s.policy IS NOT NULL
WITH s ORDER BY s.hindlore_key LIMIT $limit
RETURN s.hindlore_key AS key, s.tenant AS tenant, s.learner AS learner, s.scope AS scope, s.policy AS policy;

UNWIND $rows AS row
MATCH (s:ContextScope {hindlore_key: row.memory})
WHERE row.policy.hindlore_key IS NOT NULL
MERGE (p:Policy {hindlore_key: row.memory})
SET p = row.policy
MERGE (s)-[:HAS_POLICY]->(p);

MATCH (r:Run)
WHERE r.hindlore_key > $after AND (r.metrics IS NOT NULL OR r.measured IS NOT NULL)
WITH r ORDER BY r.hindlore_key LIMIT $limit
RETURN r.hindlore_key AS key, properties(r) AS run;

UNWIND $rows AS row
MATCH (r:Run {hindlore_key: row.hindlore_key})
REMOVE r.metrics, r.measured
SET r += row.metrics;

MATCH (e:Retrieval)
WHERE e.hindlore_key > $after
  AND EXISTS { MATCH (e)-[x:RETURNED]->() WHERE x.used OR x.helped OR x.harmed OR x.ignored }
WITH e ORDER BY e.hindlore_key LIMIT $limit
RETURN e.hindlore_key AS key;

UNWIND $rows AS row
MATCH (e:Retrieval {hindlore_key: row.hindlore_key})-[x:RETURNED]->()
WITH x, [name IN ['used', 'helped', 'harmed', 'ignored'] WHERE x[name]] AS told
SET x.told = CASE WHEN size(told) > 0 THEN told END;

MATCH (d:Delta)
WHERE d.hindlore_key > $after AND d.seal IS NULL
WITH d ORDER BY d.hindlore_key LIMIT $limit
RETURN d.hindlore_key AS key, d { .id, .at, .author, .instance, .engine_version } AS origin;

UNWIND $rows AS row
MATCH (d:Delta {hindlore_key: row.hindlore_key})
SET d.seal = row.seal;
