-- Receipts of what was destroyed.
--
-- No name of a tenant, a learner or a memory is in here: hashes stand for them, so that a receipt holds
-- nothing of what it is about. `wiped_at` is absent while the file may still hold bytes of it.

CREATE TABLE erasures (
    id           TEXT PRIMARY KEY,
    tenant_hash  TEXT NOT NULL,
    learner_hash TEXT NOT NULL,
    subject_hash TEXT NOT NULL,
    extent       TEXT NOT NULL,
    at           INTEGER NOT NULL,
    author       TEXT,
    counts       TEXT NOT NULL,
    wiped_at     INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX erasures_of_tenant ON erasures (tenant_hash, at DESC, id);
CREATE INDEX erasures_of_learner ON erasures (tenant_hash, learner_hash, at DESC, id);
