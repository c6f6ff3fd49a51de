-- Trajectories: a run has a task, an agent, a user, a parent, an outcome and what was said of it; a step has an id, a
-- kind, words and data.
--
-- The column `trajectory` is JSON and the truth; the columns beside it repeat what lists are read by, and are written
-- with it. The body of a step is kept once for all steps of a learner that have it, by its SHA-256; a step that was
-- written before has its action in its own row, and no body.

ALTER TABLE runs ADD COLUMN trajectory TEXT;
ALTER TABLE runs ADD COLUMN task_type TEXT;
ALTER TABLE runs ADD COLUMN agent TEXT;
ALTER TABLE runs ADD COLUMN user TEXT;
ALTER TABLE runs ADD COLUMN parent TEXT;
ALTER TABLE runs ADD COLUMN status TEXT;
ALTER TABLE runs ADD COLUMN relearning INTEGER;
ALTER TABLE runs ADD COLUMN due_at INTEGER;

UPDATE runs SET status = CASE passed WHEN 1 THEN 'success' ELSE 'failure' END
WHERE ended_at IS NOT NULL AND passed IS NOT NULL;

CREATE INDEX runs_of_agent ON runs (learner, agent, started_at DESC, id) WHERE agent IS NOT NULL;
CREATE INDEX runs_of_user ON runs (learner, user, started_at DESC, id) WHERE user IS NOT NULL;
CREATE INDEX runs_of_task_type ON runs (learner, task_type, started_at DESC, id) WHERE task_type IS NOT NULL;
CREATE INDEX runs_of_status ON runs (learner, status, started_at DESC, id) WHERE status IS NOT NULL;
CREATE INDEX runs_of_parent ON runs (learner, parent, started_at DESC, id) WHERE parent IS NOT NULL;
CREATE INDEX runs_for_relearning ON runs (learner, relearning DESC, started_at, id) WHERE relearning IS NOT NULL;
CREATE INDEX runs_due ON runs (learner, due_at, id) WHERE due_at IS NOT NULL;

ALTER TABLE steps ADD COLUMN id TEXT;
ALTER TABLE steps ADD COLUMN kind TEXT NOT NULL DEFAULT 'action';
ALTER TABLE steps ADD COLUMN body BLOB;

CREATE UNIQUE INDEX steps_of_id ON steps (learner, run, id) WHERE id IS NOT NULL;
CREATE INDEX steps_of_body ON steps (learner, body) WHERE body IS NOT NULL;

CREATE TABLE step_bodies (
    learner     INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    hash        BLOB NOT NULL CHECK (length(hash) = 32),
    action      TEXT NOT NULL,
    description TEXT NOT NULL,
    metadata    TEXT,
    PRIMARY KEY (learner, hash)
) STRICT, WITHOUT ROWID;
