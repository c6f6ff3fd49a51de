// The wrong form of each lesson that is there: its key can only be worked out by the engine, which reads the rule.

MATCH (l:Lesson)
WHERE l.key > $after
WITH l ORDER BY l.key LIMIT $limit
RETURN l.key AS key, l.tenant AS tenant, l.learner AS learner, properties(l) AS lesson;

UNWIND $rows AS row
MATCH (l:Lesson {key: row.key})
SET l.by_wrong_form = row.by_wrong_form;
