-- The events of a run, in order and without gaps. `place` is the run's short key times 2^32 plus the position: one tree,
-- a run's records side by side, and no page of its own for a record of a kilobyte (which a `WITHOUT ROWID` table
-- would give it). The checksum covers the place as well as the body.
CREATE TABLE journal_by_place (
    place INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

INSERT INTO journal_by_place SELECT (run << 32) + position, kind, body, checksum FROM journal;
DROP TABLE journal;
ALTER TABLE journal_by_place RENAME TO journal;

CREATE TRIGGER journal_removed AFTER DELETE ON runs BEGIN
    DELETE FROM journal WHERE place >= OLD.run << 32 AND place < (OLD.run + 1) << 32;
END;
