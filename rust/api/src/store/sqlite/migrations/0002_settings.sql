-- What operators decided: policies of sources and configured connections. A policy stays when its source is gone.
CREATE TABLE settings (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    document TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
