-- Memories with their bullets, links, events, checkpoints and folded counts.
--
-- Every table begins with the memory that its rows belong to: a read is a range of one memory, and an
-- erase is a handful of range deletes. Moments are milliseconds since 1970 in UTC, bullet ids the 10
-- raw bytes, lists and policies JSON. What has words in the engine has the same words here. Fractions
-- stand in columns of any type: a REAL column keeps whole ones as integers, and so loses the sign of a
-- negative zero, which a digest over the bits would notice.

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
-- The status rides along so that a listing counts without reading a single text.
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
    -- The two long ones stand last: what comes before them is read without their overflow pages.
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
    links      TEXT NOT NULL,
    bullets    TEXT NOT NULL,
    CONSTRAINT checkpoints_clock_unique UNIQUE (memory, clock)
) STRICT;

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
