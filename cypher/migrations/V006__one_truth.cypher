// One truth for lessons and decisions: until now a text `body` said again what the properties say, and it was the text
// that was read. From now on the properties are. What no property said becomes one, and the text goes.
//
// Statements come in pairs: the first reads a page of rows by key, the second writes what the engine makes of them. The
// last pair counts the lessons of each learner.

MATCH (l:Lesson)
WHERE l.key > $after
WITH l ORDER BY l.key LIMIT $limit
RETURN l.key AS key, l.body AS body;

UNWIND $rows AS row
MATCH (l:Lesson {key: row.key})
WHERE l.history IS NULL
SET l.history = row.history, l.contests = row.contests, l.seal = row.seal
REMOVE l.body, l.by_status;

MATCH (d:Decision)
WHERE d.key > $after
WITH d ORDER BY d.key LIMIT $limit
RETURN d.key AS key, d.body AS body;

UNWIND $rows AS row
MATCH (d:Decision {key: row.key})
WHERE d.numbers IS NULL
SET d.numbers = row.numbers, d.evidence = row.evidence
REMOVE d.body;

MATCH (o:Learner)
WHERE o.key > $after
WITH o ORDER BY o.key LIMIT $limit
RETURN o.key AS key;

UNWIND $rows AS row
MATCH (o:Learner {key: row.key})
SET o.lock = o.key
SET o.lessons = COUNT { (o)-[:HAS_LESSON]->() };
