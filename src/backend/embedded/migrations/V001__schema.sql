-- The schema.
--
-- Every table begins with the memory, learner or owner that its rows belong to: a read is a range of one owner, and
-- an erase is a few range deletes. Moments are milliseconds since 1970 in UTC. Ids of bullets, lessons, errors and
-- fingerprints are their 10 raw bytes. Lists and policies are JSON, and words are those of the engine. Fractions are
-- in ANY columns: a REAL column stores whole numbers as integers and loses the sign of a negative zero, which
-- changes digests over the bits.

-- Memories with their bullets, links, events, checkpoints and folded counts.

CREATE TABLE memories (
    memory       INTEGER PRIMARY KEY,
    tenant       TEXT NOT NULL,
    learner      TEXT NOT NULL,
    scope        TEXT NOT NULL,
    incarnation  TEXT NOT NULL,
    clock        INTEGER NOT NULL CHECK (clock >= 0),
    revision     INTEGER NOT NULL CHECK (revision >= 0),
    origin_clock INTEGER NOT NULL CHECK (origin_clock >= 0),
    policy       TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    UNIQUE (tenant, learner, scope)
) STRICT;

CREATE TABLE bullets (
    bullet       INTEGER PRIMARY KEY,
    memory       INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
    id           BLOB NOT NULL CHECK (length(id) = 10),
    content      TEXT NOT NULL,
    content_hash BLOB NOT NULL CHECK (length(content_hash) = 32),
    holds_hash   INTEGER NOT NULL,
    legacy_id    TEXT,
    memory_type  TEXT NOT NULL,
    kind         TEXT NOT NULL,
    status       TEXT NOT NULL,
    pinned       INTEGER NOT NULL,
    helpful      INTEGER NOT NULL,
    harmful      INTEGER NOT NULL,
    neutral      INTEGER NOT NULL,
    strength     ANY NOT NULL,
    access_index INTEGER,
    last_access  INTEGER,
    last_used    INTEGER,
    created_at   INTEGER NOT NULL,
    created_tick INTEGER NOT NULL,
    changed_tick INTEGER NOT NULL,
    position     INTEGER NOT NULL,
    tags         TEXT NOT NULL,
    section      TEXT,
    topic        TEXT,
    concept      TEXT,
    ttl_days     INTEGER,
    importance   ANY NOT NULL,
    source       TEXT NOT NULL,
    merged_into  BLOB,
    embedding    BLOB
) STRICT;

CREATE UNIQUE INDEX bullets_id_unique ON bullets (memory, id);
CREATE UNIQUE INDEX bullets_position_unique ON bullets (memory, position);
-- An archived bullet can have given its text away, so only holders are unique.
CREATE UNIQUE INDEX bullets_hash_unique ON bullets (memory, content_hash) WHERE holds_hash = 1;
-- Includes the status, so that a listing counts without reading any text.
CREATE INDEX bullets_changed ON bullets (memory, changed_tick, status);

CREATE TABLE links (
    memory       INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
    from_bullet  BLOB NOT NULL,
    kind         TEXT NOT NULL,
    to_bullet    BLOB NOT NULL,
    reason       TEXT,
    similarity   ANY,
    changed_tick INTEGER NOT NULL,
    removed      INTEGER NOT NULL,
    PRIMARY KEY (memory, from_bullet, kind, to_bullet)
) STRICT, WITHOUT ROWID;

CREATE INDEX links_to ON links (memory, to_bullet);
CREATE INDEX links_changed ON links (memory, changed_tick);

CREATE TABLE deltas (
    delta          INTEGER PRIMARY KEY,
    memory         INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
    id             TEXT NOT NULL,
    tick           INTEGER NOT NULL,
    revision       INTEGER NOT NULL,
    at             INTEGER NOT NULL,
    author         TEXT,
    instance       TEXT NOT NULL,
    engine_version TEXT NOT NULL,
    reasoning      TEXT,
    body_digest    TEXT NOT NULL,
    policy_before  TEXT,
    -- The two long columns come last: the columns before them are read without overflow pages.
    receipt        TEXT NOT NULL,
    body           TEXT NOT NULL,
    CONSTRAINT deltas_id_unique UNIQUE (memory, id),
    CONSTRAINT deltas_revision_unique UNIQUE (memory, revision),
    CONSTRAINT deltas_tick_unique UNIQUE (memory, tick)
) STRICT;

CREATE TABLE delta_changes (
    memory   INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    bullet   BLOB NOT NULL,
    kind     TEXT NOT NULL,
    fields   INTEGER NOT NULL,
    helpful  INTEGER NOT NULL,
    harmful  INTEGER NOT NULL,
    neutral  INTEGER NOT NULL,
    before   TEXT,
    PRIMARY KEY (memory, revision, bullet),
    FOREIGN KEY (memory, revision) REFERENCES deltas (memory, revision) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX delta_changes_bullet ON delta_changes (memory, bullet, revision);

CREATE TABLE retrievals (
    retrieval  INTEGER PRIMARY KEY,
    memory     INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
    id         TEXT NOT NULL,
    tick       INTEGER NOT NULL,
    revision   INTEGER NOT NULL,
    ranked_at  INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    profile    TEXT NOT NULL,
    query      TEXT NOT NULL,
    parameters TEXT NOT NULL,
    CONSTRAINT retrievals_id_unique UNIQUE (memory, id),
    CONSTRAINT retrievals_tick_unique UNIQUE (memory, tick)
) STRICT;

-- No index by bullet: it would cost every retrieval one page per returned bullet, while the rows of a
-- memory lie together and are few enough to be counted by reading them once.
CREATE TABLE returned (
    memory   INTEGER NOT NULL,
    tick     INTEGER NOT NULL,
    rank     INTEGER NOT NULL,
    bullet   BLOB NOT NULL,
    score    ANY NOT NULL,
    injected INTEGER NOT NULL,
    used     INTEGER NOT NULL,
    helped   INTEGER NOT NULL,
    harmed   INTEGER NOT NULL,
    ignored  INTEGER NOT NULL,
    PRIMARY KEY (memory, tick, rank),
    FOREIGN KEY (memory, tick) REFERENCES retrievals (memory, tick) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoints (
    checkpoint INTEGER PRIMARY KEY,
    memory     INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
    clock      INTEGER NOT NULL,
    digest     TEXT NOT NULL,
    head       TEXT NOT NULL,
    CONSTRAINT checkpoints_clock_unique UNIQUE (memory, clock)
) STRICT;

-- The bullets and links of a checkpoint in pieces, so that no memory is too large for one row.
CREATE TABLE checkpoint_pieces (
    number     INTEGER PRIMARY KEY,
    memory     INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
    checkpoint INTEGER NOT NULL REFERENCES checkpoints ON DELETE CASCADE,
    piece      INTEGER NOT NULL,
    part       TEXT NOT NULL,
    body       TEXT NOT NULL,
    CONSTRAINT checkpoint_pieces_unique UNIQUE (checkpoint, piece)
) STRICT;

CREATE INDEX checkpoint_pieces_memory ON checkpoint_pieces (memory);

CREATE TABLE usage (
    memory    INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
    bullet    BLOB NOT NULL,
    retrieved INTEGER NOT NULL,
    injected  INTEGER NOT NULL,
    used      INTEGER NOT NULL,
    helped    INTEGER NOT NULL,
    harmed    INTEGER NOT NULL,
    ignored   INTEGER NOT NULL,
    PRIMARY KEY (memory, bullet)
) STRICT, WITHOUT ROWID;

-- Learning from failures: runs, errors, fingerprints, lessons, activations, decisions. A listing or a look-up reads
-- the front of an index that has its order, and stops.

CREATE TABLE learners (
    learner      INTEGER PRIMARY KEY,
    tenant       TEXT NOT NULL,
    name         TEXT NOT NULL,
    -- Stored, so that the rarity of a tag needs no count.
    fingerprints INTEGER NOT NULL DEFAULT 0,
    UNIQUE (tenant, name)
) STRICT;

CREATE TABLE runs (
    run           INTEGER PRIMARY KEY,
    learner       INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    id            TEXT NOT NULL,
    task          TEXT,
    domain        TEXT,
    tool          TEXT,
    intent        TEXT NOT NULL,
    control       INTEGER NOT NULL,
    allowed_steps INTEGER,
    steps         INTEGER NOT NULL,
    changes       INTEGER NOT NULL,
    started_at    INTEGER NOT NULL,
    last_at       INTEGER NOT NULL,
    ended_at      INTEGER,
    idle          INTEGER,
    passed        INTEGER,
    score         ANY,
    occurrences   TEXT,
    in_force      TEXT,
    followed      TEXT,
    metrics       TEXT,
    -- What the run attempted; NULL while it is open.
    subjects      TEXT,
    -- JSON, the complete run. The columns after it repeat the values by which lists filter and sort.
    trajectory    TEXT,
    task_type     TEXT,
    agent         TEXT,
    user          TEXT,
    parent        TEXT,
    status        TEXT,
    relearning    INTEGER,
    due_at        INTEGER,
    CONSTRAINT runs_id_unique UNIQUE (learner, id)
) STRICT;

CREATE INDEX runs_started ON runs (learner, started_at DESC, id);
CREATE INDEX runs_open ON runs (learner, last_at, id) WHERE ended_at IS NULL;
CREATE INDEX runs_of_task ON runs (learner, task, ended_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX runs_of_domain ON runs (learner, domain, tool, ended_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX runs_control ON runs (learner, control) WHERE ended_at IS NOT NULL;
CREATE INDEX runs_of_agent ON runs (learner, agent, started_at DESC, id) WHERE agent IS NOT NULL;
CREATE INDEX runs_of_user ON runs (learner, user, started_at DESC, id) WHERE user IS NOT NULL;
CREATE INDEX runs_of_task_type ON runs (learner, task_type, started_at DESC, id) WHERE task_type IS NOT NULL;
CREATE INDEX runs_of_status ON runs (learner, status, started_at DESC, id) WHERE status IS NOT NULL;
CREATE INDEX runs_of_parent ON runs (learner, parent, started_at DESC, id) WHERE parent IS NOT NULL;
CREATE INDEX runs_for_relearning ON runs (learner, relearning DESC, started_at, id) WHERE relearning IS NOT NULL;
CREATE INDEX runs_due ON runs (learner, due_at, id) WHERE due_at IS NOT NULL;

CREATE TABLE steps (
    learner   INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    run       TEXT NOT NULL,
    step      INTEGER NOT NULL,
    action    TEXT NOT NULL,
    plan_step TEXT,
    failed    INTEGER NOT NULL,
    followed  TEXT NOT NULL,
    at        INTEGER NOT NULL,
    id        TEXT,
    kind      TEXT NOT NULL DEFAULT 'action',
    -- SHA-256 of the body in `step_bodies`; `action` is empty then.
    body      BLOB,
    PRIMARY KEY (learner, run, step),
    FOREIGN KEY (learner, run) REFERENCES runs (learner, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX steps_of_id ON steps (learner, run, id) WHERE id IS NOT NULL;
CREATE INDEX steps_of_body ON steps (learner, body) WHERE body IS NOT NULL;

-- The body of a step is stored once for all steps of a learner that have it.
CREATE TABLE step_bodies (
    learner     INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    hash        BLOB NOT NULL CHECK (length(hash) = 32),
    action      TEXT NOT NULL,
    description TEXT NOT NULL,
    metadata    TEXT,
    PRIMARY KEY (learner, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE fingerprints (
    fingerprint INTEGER PRIMARY KEY,
    learner     INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    id          BLOB NOT NULL CHECK (length(id) = 10),
    normalised  TEXT NOT NULL,
    tags        TEXT NOT NULL,
    events      INTEGER NOT NULL,
    runs        INTEGER NOT NULL,
    first_at    INTEGER,
    last_at     INTEGER,
    CONSTRAINT fingerprints_id_unique UNIQUE (learner, id)
) STRICT;

CREATE TABLE tags (
    learner      INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    name         TEXT NOT NULL,
    -- Stored, as for `learners`.
    fingerprints INTEGER NOT NULL,
    PRIMARY KEY (learner, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE fingerprint_tags (
    learner     INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    tag         TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    -- True while the fingerprint triggers a live lesson: the others are never siblings.
    live        INTEGER NOT NULL,
    PRIMARY KEY (learner, tag, fingerprint)
) STRICT, WITHOUT ROWID;

CREATE INDEX siblings ON fingerprint_tags (learner, tag, fingerprint) WHERE live = 1;

CREATE TABLE errors (
    error              INTEGER PRIMARY KEY,
    learner            INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    id                 BLOB NOT NULL CHECK (length(id) = 10),
    run                TEXT NOT NULL,
    step               INTEGER NOT NULL,
    fine               BLOB NOT NULL,
    coarse             BLOB NOT NULL,
    task               TEXT,
    domain             TEXT,
    tool               TEXT,
    at                 INTEGER NOT NULL,
    channels           TEXT NOT NULL,
    tags               TEXT NOT NULL,
    progress           ANY,
    efficiency         ANY,
    failed_constraints TEXT NOT NULL,
    reason             TEXT NOT NULL,
    error_text         TEXT NOT NULL,
    state              TEXT NOT NULL,
    action             TEXT NOT NULL,
    state_after        TEXT NOT NULL,
    CONSTRAINT errors_id_unique UNIQUE (learner, id),
    FOREIGN KEY (learner, run) REFERENCES runs (learner, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX errors_of_run ON errors (learner, run, step, id);
CREATE INDEX errors_newest ON errors (learner, at DESC, id);
CREATE INDEX errors_of_task ON errors (learner, task, at DESC, id) WHERE task IS NOT NULL;
CREATE INDEX errors_of_domain ON errors (learner, domain, tool, at DESC, id) WHERE domain IS NOT NULL;

CREATE TABLE matches (
    learner     INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    fingerprint BLOB NOT NULL,
    at          INTEGER NOT NULL,
    error       BLOB NOT NULL,
    PRIMARY KEY (learner, fingerprint, at DESC, error)
) STRICT, WITHOUT ROWID;

CREATE TABLE raised (
    learner     INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    run         TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    first_step  INTEGER NOT NULL,
    ended_at    INTEGER,
    PRIMARY KEY (learner, run, fingerprint),
    FOREIGN KEY (learner, run) REFERENCES runs (learner, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX raised_ended ON raised (learner, fingerprint, ended_at, run);

CREATE TABLE lessons (
    lesson               INTEGER PRIMARY KEY,
    learner              INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    id                   BLOB NOT NULL CHECK (length(id) = 10),
    rule                 TEXT NOT NULL,
    reach                TEXT NOT NULL,
    task                 TEXT,
    domain               TEXT,
    tool                 TEXT,
    status               TEXT NOT NULL,
    reliability          ANY NOT NULL,
    impact               ANY NOT NULL,
    retrieved            INTEGER NOT NULL,
    helpful              INTEGER NOT NULL,
    harmful              INTEGER NOT NULL,
    created_at           INTEGER NOT NULL,
    evidence_at          INTEGER NOT NULL,
    used_at              INTEGER,
    unused_opportunities INTEGER NOT NULL,
    restates             BLOB,
    triggers             TEXT NOT NULL,
    tags                 TEXT NOT NULL,
    source_runs          TEXT NOT NULL,
    history              TEXT NOT NULL,
    contests             TEXT NOT NULL,
    -- State of the proof that one decision passes to the next.
    proof                TEXT NOT NULL DEFAULT '{}',
    -- The key by which the lesson is found before an action; NULL when it is out of use or calls no form wrong.
    wrong_form           TEXT,
    CONSTRAINT lessons_id_unique UNIQUE (learner, id)
) STRICT;

CREATE INDEX lessons_newest ON lessons (learner, created_at DESC, id);
CREATE INDEX lessons_of_status ON lessons (learner, status, created_at DESC, id);
CREATE INDEX lessons_of_wrong_form
    ON lessons (learner, wrong_form, status DESC, evidence_at DESC, id)
    WHERE wrong_form IS NOT NULL;

-- Finds lessons by trigger, tag, task, domain or tool. Lessons out of use sort before live ones, and newer
-- evidence before older.
CREATE TABLE postings (
    learner     INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    kind        TEXT NOT NULL,
    name        ANY NOT NULL,
    live        INTEGER NOT NULL,
    evidence_at INTEGER NOT NULL,
    lesson      BLOB NOT NULL,
    PRIMARY KEY (learner, kind, name, live, evidence_at DESC, lesson)
) STRICT, WITHOUT ROWID;

CREATE TABLE lesson_sources (
    learner INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    lesson  BLOB NOT NULL,
    run     TEXT NOT NULL,
    origin  TEXT NOT NULL,
    steps   TEXT NOT NULL,
    events  TEXT NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (learner, lesson, run, origin)
) STRICT, WITHOUT ROWID;

CREATE TABLE conflicts (
    learner INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    first   BLOB NOT NULL,
    second  BLOB NOT NULL,
    reason  TEXT NOT NULL,
    at      INTEGER NOT NULL,
    -- JSON, a person's decision about the two lessons.
    settled TEXT,
    PRIMARY KEY (learner, first, second),
    CONSTRAINT conflicts_unordered CHECK (first < second)
) STRICT, WITHOUT ROWID;

CREATE INDEX conflicts_second ON conflicts (learner, second, first);

CREATE TABLE activations (
    activation    INTEGER PRIMARY KEY,
    learner       INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    id            BLOB NOT NULL CHECK (length(id) = 10),
    run           TEXT NOT NULL,
    lesson        BLOB NOT NULL,
    moment        TEXT NOT NULL,
    step          INTEGER NOT NULL,
    trigger_id    BLOB,
    trigger_level TEXT,
    lane          TEXT NOT NULL,
    score         ANY NOT NULL,
    withheld      INTEGER NOT NULL,
    at            INTEGER NOT NULL,
    -- Sign of the utility: 1 helped, 0 neither, -1 harmed; absent while it is not settled.
    verdict       INTEGER,
    outcome       TEXT,
    beat          TEXT NOT NULL,
    triggers      TEXT NOT NULL,
    explanation   TEXT NOT NULL,
    CONSTRAINT activations_id_unique UNIQUE (learner, id)
) STRICT;

CREATE INDEX activations_of_run ON activations (learner, run, step, id);
CREATE INDEX activations_of_lesson ON activations (learner, lesson, at, id);
CREATE INDEX activations_verdict ON activations (learner, withheld, verdict);

CREATE TABLE decisions (
    decision INTEGER PRIMARY KEY,
    learner  INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    id       BLOB NOT NULL CHECK (length(id) = 10),
    lesson   BLOB NOT NULL,
    at       INTEGER NOT NULL,
    body     TEXT NOT NULL,
    CONSTRAINT decisions_id_unique UNIQUE (learner, id)
) STRICT;

CREATE INDEX decisions_of_lesson ON decisions (learner, lesson, at, id);
CREATE INDEX decisions_newest ON decisions (learner, at DESC, id);

CREATE TABLE reviews (
    review      INTEGER PRIMARY KEY,
    learner     INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    id          TEXT NOT NULL,
    lesson      BLOB NOT NULL,
    from_status TEXT NOT NULL,
    to_status   TEXT NOT NULL,
    author      TEXT,
    note        TEXT,
    at          INTEGER NOT NULL,
    CONSTRAINT reviews_id_unique UNIQUE (learner, id)
) STRICT;

CREATE INDEX reviews_of_lesson ON reviews (learner, lesson, at, id);

CREATE TABLE operations (
    learner     INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    operation   TEXT NOT NULL,
    body_digest TEXT NOT NULL,
    answer      TEXT NOT NULL,
    at          INTEGER NOT NULL,
    PRIMARY KEY (learner, operation)
) STRICT, WITHOUT ROWID;

-- Receipts of erasures. Names of tenants, learners and memories are hashed, so that a receipt holds nothing of its
-- subject. `wiped_at` is NULL while the file may still hold bytes of it.

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

-- Records: nouns beyond memories and lessons, each with a kind, an id, values, edges and orders.
--
-- The values of a record are one JSON object. A position in an order is one text, so that a page reads the front of
-- the table and stops. An edge belongs to the record that holds it. Both of its ends must exist when the transaction
-- ends, so that records may be written in any order.

CREATE TABLE record_owners (
    owner   INTEGER PRIMARY KEY,
    tenant  TEXT NOT NULL,
    learner TEXT NOT NULL,
    UNIQUE (tenant, learner)
) STRICT;

CREATE TABLE records (
    owner  INTEGER NOT NULL REFERENCES record_owners ON DELETE CASCADE,
    kind   TEXT NOT NULL,
    id     TEXT NOT NULL,
    fields TEXT NOT NULL,
    PRIMARY KEY (owner, kind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE record_edges (
    owner      INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    id         TEXT NOT NULL,
    name       TEXT NOT NULL,
    other_kind TEXT NOT NULL,
    other_id   TEXT NOT NULL,
    fields     TEXT NOT NULL,
    PRIMARY KEY (owner, kind, id, name, other_kind, other_id),
    FOREIGN KEY (owner, kind, id) REFERENCES records (owner, kind, id)
        ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (owner, other_kind, other_id) REFERENCES records (owner, kind, id)
        DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;

CREATE INDEX record_edges_to ON record_edges (owner, other_kind, other_id);

CREATE TABLE record_orders (
    owner    INTEGER NOT NULL,
    kind     TEXT NOT NULL,
    name     TEXT NOT NULL,
    position TEXT NOT NULL,
    id       TEXT NOT NULL,
    PRIMARY KEY (owner, kind, name, position),
    FOREIGN KEY (owner, kind, id) REFERENCES records (owner, kind, id)
        ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;

CREATE INDEX record_orders_of ON record_orders (owner, kind, id);
