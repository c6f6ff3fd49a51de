-- The bullets and links of a checkpoint in pieces, so that no memory is too large for one.
--
-- What was written before stays as it is: its bullets and links stand in the row of the checkpoint, and it
-- has no pieces.

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
