// Times become dates: what older engines wrote as milliseconds since 1970. `hindlore migrate contract` does it, and a new
// database has nothing to change. It ends the sharing with engines that know prefixed names and no dates, so end those
// before. Each statement changes some, and is sent until none is left, so that it goes on where it was cut off. The zone
// is given as an offset: a server may have another default, and `UTC` would be the name of a zone.

MATCH (n:ContextScope)
WHERE n.hindlore_key IS NOT NULL AND n.created_at IS :: INTEGER NOT NULL
WITH n LIMIT $limit
SET n.created_at = datetime({epochMillis: n.created_at, timezone: 'Z'})
RETURN count(*) AS changed;

MATCH (n:Bullet)
WHERE n.hindlore_key IS NOT NULL
  AND (n.created_at IS :: INTEGER NOT NULL
    OR n.last_access IS :: INTEGER NOT NULL
    OR n.last_used IS :: INTEGER NOT NULL)
WITH n LIMIT $limit
FOREACH (name IN [name IN ['created_at', 'last_access', 'last_used'] WHERE n[name] IS :: INTEGER NOT NULL] |
  SET n[name] = datetime({epochMillis: n[name], timezone: 'Z'}))
RETURN count(*) AS changed;

MATCH (n:Delta)
WHERE n.hindlore_key IS NOT NULL AND n.at IS :: INTEGER NOT NULL
WITH n LIMIT $limit
SET n.at = datetime({epochMillis: n.at, timezone: 'Z'})
RETURN count(*) AS changed;

MATCH (n:Retrieval)
WHERE n.hindlore_key IS NOT NULL AND n.at IS :: INTEGER NOT NULL
WITH n LIMIT $limit
SET n.at = datetime({epochMillis: n.at, timezone: 'Z'})
RETURN count(*) AS changed;

MATCH (n:Run)
WHERE n.hindlore_key IS NOT NULL
  AND (n.started_at IS :: INTEGER NOT NULL
    OR n.last_at IS :: INTEGER NOT NULL
    OR n.ended_at IS :: INTEGER NOT NULL
    OR n.reflected_at IS :: INTEGER NOT NULL
    OR n.due_at IS :: INTEGER NOT NULL)
WITH n LIMIT $limit
FOREACH (name IN [name IN ['started_at', 'last_at', 'ended_at', 'reflected_at', 'due_at'] WHERE n[name] IS :: INTEGER NOT NULL] |
  SET n[name] = datetime({epochMillis: n[name], timezone: 'Z'}))
RETURN count(*) AS changed;

MATCH (n:RunStep)
WHERE n.hindlore_key IS NOT NULL AND n.at IS :: INTEGER NOT NULL
WITH n LIMIT $limit
SET n.at = datetime({epochMillis: n.at, timezone: 'Z'})
RETURN count(*) AS changed;

MATCH (n:Fingerprint)
WHERE n.hindlore_key IS NOT NULL
  AND (n.first_at IS :: INTEGER NOT NULL OR n.last_at IS :: INTEGER NOT NULL)
WITH n LIMIT $limit
FOREACH (name IN [name IN ['first_at', 'last_at'] WHERE n[name] IS :: INTEGER NOT NULL] |
  SET n[name] = datetime({epochMillis: n[name], timezone: 'Z'}))
RETURN count(*) AS changed;

MATCH (n:ErrorEvent)
WHERE n.hindlore_key IS NOT NULL AND n.at IS :: INTEGER NOT NULL
WITH n LIMIT $limit
SET n.at = datetime({epochMillis: n.at, timezone: 'Z'})
RETURN count(*) AS changed;

MATCH (n:Lesson)
WHERE n.hindlore_key IS NOT NULL
  AND (n.created_at IS :: INTEGER NOT NULL
    OR n.evidence_at IS :: INTEGER NOT NULL
    OR n.used_at IS :: INTEGER NOT NULL)
WITH n LIMIT $limit
FOREACH (name IN [name IN ['created_at', 'evidence_at', 'used_at'] WHERE n[name] IS :: INTEGER NOT NULL] |
  SET n[name] = datetime({epochMillis: n[name], timezone: 'Z'}))
RETURN count(*) AS changed;

MATCH (n:LessonSource)
WHERE n.hindlore_key IS NOT NULL AND n.at IS :: INTEGER NOT NULL
WITH n LIMIT $limit
SET n.at = datetime({epochMillis: n.at, timezone: 'Z'})
RETURN count(*) AS changed;

MATCH (n:Decision)
WHERE n.hindlore_key IS NOT NULL AND n.at IS :: INTEGER NOT NULL
WITH n LIMIT $limit
SET n.at = datetime({epochMillis: n.at, timezone: 'Z'})
RETURN count(*) AS changed;

MATCH (n:Review)
WHERE n.hindlore_key IS NOT NULL AND n.at IS :: INTEGER NOT NULL
WITH n LIMIT $limit
SET n.at = datetime({epochMillis: n.at, timezone: 'Z'})
RETURN count(*) AS changed;

MATCH (n:Operation)
WHERE n.hindlore_key IS NOT NULL AND n.at IS :: INTEGER NOT NULL
WITH n LIMIT $limit
SET n.at = datetime({epochMillis: n.at, timezone: 'Z'})
RETURN count(*) AS changed;

MATCH (n:Erasure)
WHERE n.hindlore_key IS NOT NULL AND n.at IS :: INTEGER NOT NULL
WITH n LIMIT $limit
SET n.at = datetime({epochMillis: n.at, timezone: 'Z'})
RETURN count(*) AS changed;

MATCH ()-[r:ACTIVATED]->()
WHERE r.hindlore_key IS NOT NULL AND r.at IS :: INTEGER NOT NULL
WITH r LIMIT $limit
SET r.at = datetime({epochMillis: r.at, timezone: 'Z'})
RETURN count(*) AS changed;

MATCH ()-[r:MET]->()
WHERE r.hindlore_key IS NOT NULL AND r.ended_at IS :: INTEGER NOT NULL
WITH r LIMIT $limit
SET r.ended_at = datetime({epochMillis: r.ended_at, timezone: 'Z'})
RETURN count(*) AS changed;

MATCH ()-[r:CONFLICTS_WITH]->()
WHERE r.hindlore_pair IS NOT NULL AND r.at IS :: INTEGER NOT NULL
WITH r LIMIT $limit
SET r.at = datetime({epochMillis: r.at, timezone: 'Z'})
RETURN count(*) AS changed;
