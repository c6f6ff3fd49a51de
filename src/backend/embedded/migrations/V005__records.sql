-- Records: the nouns that come after memories and lessons, each with a kind, an id, values, edges and orders.
--
-- A record belongs to its owner, a learner of a tenant. Its values are one JSON object; a place in an order is one text,
-- so that a page is read from the front of the table and stops. An edge belongs to the record that holds it, and both
-- of its ends are there: checked when the transaction ends, so that records may be written in any order.

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
