-- The marks of deltas that are no longer kept, in a fixed number of texts for each memory: a mark is appended to its
-- bucket, so that no delta is applied twice, and the number of rows does not grow.

CREATE TABLE folded_deltas (
    memory INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
    bucket INTEGER NOT NULL,
    marks  TEXT NOT NULL,
    PRIMARY KEY (memory, bucket)
) STRICT;

-- Old receipts of operations go oldest first.
CREATE INDEX operations_oldest ON operations (learner, at);
