// The plain names of older engines become the prefixed ones of V018: the end of sharing a database with those engines.
// `hindlore migrate contract` does it, and a new database has nothing to rename. Each statement renames some, and is sent
// until none is left, so that it goes on where it was cut off. Learners and memories come first: who still looks for one
// by its old name finds nothing to write to. Then the constraints and indexes of the old names go.

MATCH (n:Learner)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.id IS NOT NULL
WITH n LIMIT $limit
SET n.lock = n.key
WITH n
WHERE n.key IS NOT NULL
SET n.hindlore_key = n.key
REMOVE n.key
RETURN count(*) AS renamed;

MATCH (n:ContextScope)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.lock = n.key
WITH n
WHERE n.key IS NOT NULL
SET n.hindlore_key = n.key, n.hindlore_owner = n.owner, n.incarnation = randomUUID()
REMOVE n.key, n.owner
RETURN count(*) AS renamed;

MATCH (n:Bullet)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key, n.hindlore_hash_key = n.hash_key, n.hindlore_memory = n.memory
REMOVE n.key, n.hash_key, n.memory
RETURN count(*) AS renamed;

MATCH (n:Delta)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key, n.hindlore_memory = n.memory
REMOVE n.key, n.memory
RETURN count(*) AS renamed;

MATCH (n:Retrieval)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key, n.hindlore_memory = n.memory
REMOVE n.key, n.memory
RETURN count(*) AS renamed;

MATCH (n:Checkpoint)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key, n.hindlore_memory = n.memory
REMOVE n.key, n.memory
RETURN count(*) AS renamed;

MATCH (n:CheckpointPiece)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key, n.hindlore_memory = n.memory
REMOVE n.key, n.memory
RETURN count(*) AS renamed;

MATCH (n:Tag)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key, n.hindlore_owner = n.owner
REMOVE n.key, n.owner
RETURN count(*) AS renamed;

MATCH (n:Topic)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key, n.hindlore_owner = n.owner
REMOVE n.key, n.owner
RETURN count(*) AS renamed;

MATCH (n:Concept)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key, n.hindlore_owner = n.owner
REMOVE n.key, n.owner
RETURN count(*) AS renamed;

MATCH (n:Lesson)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key, n.hindlore_by_birth = n.by_birth, n.hindlore_by_wrong_form = n.by_wrong_form
REMOVE n.key, n.by_birth, n.by_wrong_form
RETURN count(*) AS renamed;

MATCH (n:Run)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key, n.hindlore_by_start = n.by_start, n.hindlore_by_idleness = n.by_idleness,
  n.hindlore_by_task = n.by_task, n.hindlore_by_domain = n.by_domain,
  n.hindlore_by_ending = n.by_ending, n.hindlore_by_agent = n.by_agent, n.hindlore_by_user = n.by_user,
  n.hindlore_by_task_type = n.by_task_type, n.hindlore_by_status = n.by_status,
  n.hindlore_by_parent = n.by_parent, n.hindlore_by_relearning = n.by_relearning,
  n.hindlore_by_due = n.by_due
REMOVE n.key, n.by_start, n.by_idleness, n.by_task, n.by_domain, n.by_ending, n.by_agent, n.by_user,
  n.by_task_type, n.by_status, n.by_parent, n.by_relearning, n.by_due
RETURN count(*) AS renamed;

MATCH (n:RunStep)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key, n.hindlore_by_id = n.by_id
REMOVE n.key, n.by_id
RETURN count(*) AS renamed;

MATCH (n:StepBody)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key
REMOVE n.key
RETURN count(*) AS renamed;

MATCH (n:ErrorEvent)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key, n.hindlore_by_time = n.by_time, n.hindlore_by_run = n.by_run,
  n.hindlore_by_task = n.by_task, n.hindlore_by_domain = n.by_domain, n.hindlore_by_step = n.by_step
REMOVE n.key, n.by_time, n.by_run, n.by_task, n.by_domain, n.by_step
RETURN count(*) AS renamed;

MATCH (n:Fingerprint)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key
REMOVE n.key
RETURN count(*) AS renamed;

MATCH (n:Task)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key
REMOVE n.key
RETURN count(*) AS renamed;

MATCH (n:Domain)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key
REMOVE n.key
RETURN count(*) AS renamed;

MATCH (n:Tool)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key
REMOVE n.key
RETURN count(*) AS renamed;

MATCH (n:LessonSource)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key, n.hindlore_by_lesson = n.by_lesson
REMOVE n.key, n.by_lesson
RETURN count(*) AS renamed;

MATCH (n:Decision)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key, n.hindlore_by_lesson = n.by_lesson, n.hindlore_by_time = n.by_time
REMOVE n.key, n.by_lesson, n.by_time
RETURN count(*) AS renamed;

MATCH (n:Review)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key, n.hindlore_by_lesson = n.by_lesson
REMOVE n.key, n.by_lesson
RETURN count(*) AS renamed;

MATCH (n:Operation)
WHERE n.key IS NOT NULL AND n.tenant IS NOT NULL AND n.learner IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key
REMOVE n.key
RETURN count(*) AS renamed;

MATCH (n:Erasure)
WHERE n.key IS NOT NULL AND n.tenant_hash IS NOT NULL
WITH n LIMIT $limit
SET n.hindlore_key = n.key, n.hindlore_by_tenant = n.by_tenant, n.hindlore_by_learner = n.by_learner
REMOVE n.key, n.by_tenant, n.by_learner
RETURN count(*) AS renamed;

MATCH ()-[r:FOLLOWS]->()
WHERE r.memory IS NOT NULL AND r.changed_tick IS NOT NULL
WITH r LIMIT $limit
SET r.hindlore_memory = r.memory
REMOVE r.memory
RETURN count(*) AS renamed;

MATCH ()-[r:SIMILAR_TO]->()
WHERE r.memory IS NOT NULL AND r.changed_tick IS NOT NULL
WITH r LIMIT $limit
SET r.hindlore_memory = r.memory
REMOVE r.memory
RETURN count(*) AS renamed;

MATCH ()-[r:CONFLICTS_WITH]->()
WHERE r.memory IS NOT NULL AND r.changed_tick IS NOT NULL
WITH r LIMIT $limit
SET r.hindlore_memory = r.memory
REMOVE r.memory
RETURN count(*) AS renamed;

MATCH ()-[r:MERGED_INTO]->()
WHERE r.memory IS NOT NULL AND r.changed_tick IS NOT NULL
WITH r LIMIT $limit
SET r.hindlore_memory = r.memory
REMOVE r.memory
RETURN count(*) AS renamed;

MATCH ()-[r:SUPERSEDES]->()
WHERE r.memory IS NOT NULL AND r.changed_tick IS NOT NULL
WITH r LIMIT $limit
SET r.hindlore_memory = r.memory
REMOVE r.memory
RETURN count(*) AS renamed;

MATCH ()-[r:RECONCILED_WITH]->()
WHERE r.memory IS NOT NULL AND r.changed_tick IS NOT NULL
WITH r LIMIT $limit
SET r.hindlore_memory = r.memory
REMOVE r.memory
RETURN count(*) AS renamed;

MATCH ()-[r:CONSOLIDATED_FROM]->()
WHERE r.memory IS NOT NULL AND r.changed_tick IS NOT NULL
WITH r LIMIT $limit
SET r.hindlore_memory = r.memory
REMOVE r.memory
RETURN count(*) AS renamed;

MATCH ()-[r:UNLINKED]->()
WHERE r.memory IS NOT NULL AND r.changed_tick IS NOT NULL
WITH r LIMIT $limit
SET r.hindlore_memory = r.memory
REMOVE r.memory
RETURN count(*) AS renamed;

MATCH ()-[r:CONFLICTS_WITH]->()
WHERE r.pair IS NOT NULL
WITH r LIMIT $limit
SET r.hindlore_pair = r.pair
REMOVE r.pair
RETURN count(*) AS renamed;

MATCH ()-[r:TRIGGERED_BY]->()
WHERE r.posting IS NOT NULL
WITH r LIMIT $limit
SET r.hindlore_posting = r.posting
REMOVE r.posting
RETURN count(*) AS renamed;

MATCH ()-[r:TAGGED]->()
WHERE r.posting IS NOT NULL
WITH r LIMIT $limit
SET r.hindlore_posting = r.posting
REMOVE r.posting
RETURN count(*) AS renamed;

MATCH ()-[r:APPLIES_TO]->()
WHERE r.posting IS NOT NULL
WITH r LIMIT $limit
SET r.hindlore_posting = r.posting
REMOVE r.posting
RETURN count(*) AS renamed;

MATCH ()-[r:MATCHES]->()
WHERE r.by_time IS NOT NULL
WITH r LIMIT $limit
SET r.hindlore_by_time = r.by_time
REMOVE r.by_time
RETURN count(*) AS renamed;

MATCH ()-[r:MET]->()
WHERE r.key IS NOT NULL
WITH r LIMIT $limit
SET r.hindlore_key = r.key, r.hindlore_by_end = r.by_end
REMOVE r.key, r.by_end
RETURN count(*) AS renamed;

MATCH ()-[r:ACTIVATED]->()
WHERE r.key IS NOT NULL
WITH r LIMIT $limit
SET r.hindlore_key = r.key, r.hindlore_by_time = r.by_time, r.hindlore_by_age = r.by_age,
  r.hindlore_by_step = r.by_step, r.hindlore_by_verdict = r.by_verdict
REMOVE r.key, r.by_time, r.by_age, r.by_step, r.by_verdict
RETURN count(*) AS renamed;
