-- What learners learn from failures: runs, errors, fingerprints, lessons, activations, decisions.
--
-- Every table begins with the learner that its rows belong to. Moments are milliseconds since 1970 in
-- UTC, ids the 10 raw bytes, lists JSON, fractions stand in columns of any type; words are those of the
-- engine. A listing or a look-up reads the front of an index that has its order, and stops.

CREATE TABLE learners (
    learner      INTEGER PRIMARY KEY,
    tenant       TEXT NOT NULL,
    name         TEXT NOT NULL,
    -- Kept, so that the rarity of a tag costs no count.
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
    CONSTRAINT runs_id_unique UNIQUE (learner, id)
) STRICT;

CREATE INDEX runs_started ON runs (learner, started_at DESC, id);
CREATE INDEX runs_open ON runs (learner, last_at, id) WHERE ended_at IS NULL;
CREATE INDEX runs_of_task ON runs (learner, task, ended_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX runs_of_domain ON runs (learner, domain, tool, ended_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX runs_control ON runs (learner, control) WHERE ended_at IS NOT NULL;

CREATE TABLE steps (
    learner   INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
    run       TEXT NOT NULL,
    step      INTEGER NOT NULL,
    action    TEXT NOT NULL,
    plan_step TEXT,
    failed    INTEGER NOT NULL,
    followed  TEXT NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (learner, run, step),
    FOREIGN KEY (learner, run) REFERENCES runs (learner, id) ON DELETE CASCADE
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
    -- Kept, as above.
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
    CONSTRAINT lessons_id_unique UNIQUE (learner, id)
) STRICT;

CREATE INDEX lessons_newest ON lessons (learner, created_at DESC, id);
CREATE INDEX lessons_of_status ON lessons (learner, status, created_at DESC, id);

-- From what calls for a lesson to the lesson: a trigger, a tag, a task, a domain, a tool. Those out of
-- use stand before the live ones, and the newest evidence before the older.
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
