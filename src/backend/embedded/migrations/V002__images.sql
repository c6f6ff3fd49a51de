-- Images: what a process held of a memory, for the next one, which then need not analyse every text.
--
-- An image is a cache: without it, or with a damaged one, the rows are read. It is read once it is complete. Bullets
-- above its clock are read as the changes of another process are. A change of a row below it comes from a hand or an
-- erase, and drops the image.

CREATE TABLE images (
    image       INTEGER PRIMARY KEY,
    memory      INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
    incarnation TEXT NOT NULL,
    clock       INTEGER NOT NULL,
    complete    INTEGER NOT NULL
) STRICT;

CREATE INDEX images_of_memory ON images (memory, complete, clock);

CREATE TABLE image_blocks (
    image    INTEGER NOT NULL REFERENCES images ON DELETE CASCADE,
    -- 0 for questions, 1 for new texts.
    part     INTEGER NOT NULL,
    block    INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    body     BLOB NOT NULL,
    UNIQUE (image, part, block)
) STRICT;

-- A commit gives hashes away before it writes the rows that lose them.
CREATE TRIGGER bullets_updated AFTER UPDATE ON bullets
WHEN new.changed_tick <= old.changed_tick AND new.holds_hash >= old.holds_hash
BEGIN
    DELETE FROM images WHERE memory = old.memory AND clock >= old.changed_tick;
END;

CREATE TRIGGER bullets_deleted AFTER DELETE ON bullets
BEGIN
    DELETE FROM images WHERE memory = old.memory;
END;

CREATE TRIGGER bullets_inserted AFTER INSERT ON bullets
BEGIN
    DELETE FROM images WHERE memory = new.memory AND clock >= new.changed_tick;
END;

CREATE TRIGGER links_updated AFTER UPDATE ON links WHEN new.changed_tick <= old.changed_tick
BEGIN
    DELETE FROM images WHERE memory = old.memory AND clock >= old.changed_tick;
END;

CREATE TRIGGER links_deleted AFTER DELETE ON links
BEGIN
    DELETE FROM images WHERE memory = old.memory;
END;
