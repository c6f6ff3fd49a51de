// What older engines wrote as JSON becomes properties: the policy of each memory on a node of its own, beside the text that
// the engine reads, and the metrics of each run on the run. The marks of feedback are told once more, and deltas get a
// seal on who wrote them and when, so that an edit of these is noticed.

MATCH (s:ContextScope)
WHERE s.mnemograph_key > $after AND s.policy IS NOT NULL
WITH s ORDER BY s.mnemograph_key LIMIT $limit
RETURN s.mnemograph_key AS key, s.tenant AS tenant, s.learner AS learner, s.scope AS scope, s.policy AS policy;

UNWIND $rows AS row
MATCH (s:ContextScope {mnemograph_key: row.memory})
WHERE row.policy.mnemograph_key IS NOT NULL
MERGE (p:Policy {mnemograph_key: row.memory})
SET p = row.policy
MERGE (s)-[:HAS_POLICY]->(p);

MATCH (r:Run)
WHERE r.mnemograph_key > $after AND (r.metrics IS NOT NULL OR r.measured IS NOT NULL)
WITH r ORDER BY r.mnemograph_key LIMIT $limit
RETURN r.mnemograph_key AS key, properties(r) AS run;

UNWIND $rows AS row
MATCH (r:Run {mnemograph_key: row.mnemograph_key})
REMOVE r.metrics, r.measured
SET r += row.metrics;

MATCH (e:Retrieval)
WHERE e.mnemograph_key > $after
  AND EXISTS { MATCH (e)-[x:RETURNED]->() WHERE x.used OR x.helped OR x.harmed OR x.ignored }
WITH e ORDER BY e.mnemograph_key LIMIT $limit
RETURN e.mnemograph_key AS key;

UNWIND $rows AS row
MATCH (e:Retrieval {mnemograph_key: row.mnemograph_key})-[x:RETURNED]->()
WITH x, [name IN ['used', 'helped', 'harmed', 'ignored'] WHERE x[name]] AS told
SET x.told = CASE WHEN size(told) > 0 THEN told END;

MATCH (d:Delta)
WHERE d.mnemograph_key > $after AND d.seal IS NULL
WITH d ORDER BY d.mnemograph_key LIMIT $limit
RETURN d.mnemograph_key AS key, d { .id, .at, .author, .instance, .engine_version } AS origin;

UNWIND $rows AS row
MATCH (d:Delta {mnemograph_key: row.mnemograph_key})
SET d.seal = row.seal;
