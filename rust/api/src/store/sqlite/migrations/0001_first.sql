-- Layout 1.
--
-- Times are milliseconds since the epoch. Documents, results and bodies are JSON text. `STRICT` tables refuse a
-- value of another type, so a damaged file shows early.

CREATE TABLE artifacts (
    artifact_id TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    content_hash TEXT NOT NULL,
    document TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (artifact_id, version)
) STRICT;

-- A deployment may be saved before its artifact; that is a matter of validation, so there is no foreign key.
CREATE TABLE deployments (
    deployment_id TEXT PRIMARY KEY NOT NULL,
    artifact_id TEXT NOT NULL,
    artifact_version INTEGER NOT NULL,
    document TEXT NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX deployments_by_artifact ON deployments (artifact_id, artifact_version);

-- What a run was started with: the deployment and all artifacts. Runs of one deployment share one row.
CREATE TABLE environments (
    environment INTEGER PRIMARY KEY,
    content_hash TEXT NOT NULL UNIQUE,
    document TEXT NOT NULL
) STRICT;

-- `run` is a short key for the journal. What changes with every event is not here, so that a step of a run
-- appends to the journal and touches nothing else.
CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL UNIQUE,
    environment INTEGER NOT NULL REFERENCES environments (environment),
    deployment_id TEXT NOT NULL,
    artifact_id TEXT NOT NULL,
    artifact_version INTEGER NOT NULL,
    plan_hash TEXT NOT NULL,
    idempotency_key TEXT UNIQUE,
    status TEXT NOT NULL CHECK (status IN ('running', 'interrupted', 'completed', 'failed', 'cancelled')),
    resume_readiness TEXT NOT NULL CHECK (resume_readiness IN ('ready', 'blocked', 'not_applicable')),
    diagnostics TEXT NOT NULL,
    result TEXT NOT NULL,
    trace_count INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    lease_owner TEXT,
    lease_token INTEGER NOT NULL DEFAULT 0,
    lease_until INTEGER NOT NULL DEFAULT 0,
    -- When a waiting run has to be looked at next: a timer, or a planned start.
    wake_at INTEGER
) STRICT;

CREATE INDEX runs_by_time ON runs (updated_at DESC, run_id DESC);
CREATE INDEX runs_by_status ON runs (status, updated_at DESC, run_id DESC);
CREATE INDEX runs_by_deployment ON runs (deployment_id, updated_at DESC, run_id DESC);
CREATE INDEX runs_by_environment ON runs (environment);
CREATE INDEX runs_to_wake ON runs (wake_at) WHERE wake_at IS NOT NULL;

-- Counting rows costs as much as there are rows; a listing must not.
CREATE TABLE run_counts (
    deployment_id TEXT NOT NULL,
    status TEXT NOT NULL,
    runs INTEGER NOT NULL,
    PRIMARY KEY (deployment_id, status)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER runs_counted_in AFTER INSERT ON runs BEGIN
    INSERT INTO run_counts VALUES (NEW.deployment_id, NEW.status, 1)
    ON CONFLICT DO UPDATE SET runs = runs + 1;
END;

CREATE TRIGGER runs_counted_out AFTER DELETE ON runs BEGIN
    UPDATE run_counts SET runs = runs - 1 WHERE deployment_id = OLD.deployment_id AND status = OLD.status;
END;

CREATE TRIGGER runs_counted_over AFTER UPDATE OF status ON runs WHEN OLD.status <> NEW.status BEGIN
    UPDATE run_counts SET runs = runs - 1 WHERE deployment_id = OLD.deployment_id AND status = OLD.status;
    INSERT INTO run_counts VALUES (NEW.deployment_id, NEW.status, 1)
    ON CONFLICT DO UPDATE SET runs = runs + 1;
END;

-- The events of a run, in order and without gaps. The checksum covers the place as well as the body.
CREATE TABLE journal (
    run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;

-- One snapshot for each run at most: the journal is complete without it.
CREATE TABLE snapshots (
    run INTEGER PRIMARY KEY REFERENCES runs (run) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    body TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE events (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    timestamp_epoch_ms INTEGER NOT NULL,
    capability_id TEXT,
    payload TEXT NOT NULL
) STRICT;
