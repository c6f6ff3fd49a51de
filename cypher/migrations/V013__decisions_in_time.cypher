// The place in time of each decision that is there.

MATCH (d:Decision)
WHERE d.key > $after
WITH d ORDER BY d.key LIMIT $limit
RETURN d.key AS key, d.id AS id, d.at AS at;

UNWIND $rows AS row
MATCH (d:Decision {key: row.key})
SET d.by_time = row.by_time;
