//! Runs, their journals and their snapshots.

use std::sync::Arc;

use rusqlite::types::ToSql;
use rusqlite::{Connection, OptionalExtension as _, Row};

use super::SqliteStore;
use super::codec::{checksum, decode, encode, natural, number};
use super::leases;
use crate::store::{
    IdField, JournalRecord, Lease, Listed, Millis, NewRun, ResumeReadiness, RunChange, RunCommit, RunFilter, RunHead,
    RunRecord, RunStatus, RunStore, RunningRun, SharedText, Snapshot, StoreError, check_id,
};

const HEAD: &str = "runs.run_id, runs.deployment_id, runs.artifact_id, runs.artifact_version, runs.plan_hash,
    runs.status, runs.resume_readiness, runs.diagnostics, runs.result, runs.trace_count, runs.created_at,
    runs.updated_at";

/// The columns of a head, as the database holds them.
struct HeadRow {
    run_id: Arc<str>,
    deployment_id: Arc<str>,
    artifact_id: Arc<str>,
    artifact_version: u32,
    plan_hash: Arc<str>,
    status: String,
    resume_readiness: String,
    diagnostics: String,
    result: String,
    trace_count: i64,
    created_at: i64,
    updated_at: i64,
}

impl HeadRow {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            run_id: row.get(0)?,
            deployment_id: row.get(1)?,
            artifact_id: row.get(2)?,
            artifact_version: row.get(3)?,
            plan_hash: row.get(4)?,
            status: row.get(5)?,
            resume_readiness: row.get(6)?,
            diagnostics: row.get(7)?,
            result: row.get(8)?,
            trace_count: row.get(9)?,
            created_at: row.get(10)?,
            updated_at: row.get(11)?,
        })
    }

    fn head(self) -> Result<RunHead, StoreError> {
        let what = || format!("run {}", self.run_id);
        let state = RunChange {
            status: RunStatus::from_name(&self.status).ok_or_else(|| StoreError::status_unknown(&self.status))?,
            resume_readiness: ResumeReadiness::from_name(&self.resume_readiness)?,
            diagnostics: decode(&self.diagnostics, what)?,
            result: decode(&self.result, what)?,
            trace_count: natural(self.trace_count),
        };
        Ok(RunHead {
            run_id: self.run_id,
            deployment_id: self.deployment_id,
            artifact_id: self.artifact_id,
            artifact_version: self.artifact_version,
            plan_hash: self.plan_hash,
            state,
            created_at: natural(self.created_at),
            updated_at: natural(self.updated_at),
        })
    }
}

/// The short key of a run.
fn run_key(connection: &Connection, run_id: &str) -> Result<i64, StoreError> {
    connection
        .prepare_cached("SELECT run FROM runs WHERE run_id = ?1")?
        .query_row([run_id], |row| row.get(0))
        .optional()?
        .ok_or_else(|| StoreError::run_unknown(run_id))
}

/// Where a record lies in the journal: the run's key in the upper half of the number, the position in the lower.
fn place(run: i64, position: u64) -> Result<i64, StoreError> {
    let halves = u32::try_from(run).ok().filter(|run| *run <= u32::MAX >> 1).zip(u32::try_from(position).ok());
    halves
        .map(|(run, position)| (i64::from(run) << 32) | i64::from(position))
        .ok_or_else(|| StoreError::Unstorable { what: format!("journal position {position}") })
}

/// The position within its run of a record that lies there.
fn position(place: i64) -> u64 {
    natural(place & i64::from(u32::MAX))
}

fn length(connection: &Connection, run: i64) -> Result<u64, StoreError> {
    let last: Option<i64> = connection
        .prepare_cached("SELECT max(place) FROM journal WHERE place BETWEEN ?1 AND ?2")?
        .query_row([place(run, 0)?, place(run, u64::from(u32::MAX))?], |row| row.get(0))?;
    Ok(last.map_or(0, |last| position(last) + 1))
}

fn append(
    connection: &Connection,
    run: i64,
    run_id: &str,
    after: u64,
    records: &[JournalRecord],
) -> Result<(), StoreError> {
    let mut statement =
        connection.prepare_cached("INSERT INTO journal (place, kind, body, checksum) VALUES (?1, ?2, ?3, ?4)")?;
    for (position, record) in (after..).zip(records) {
        let sum = checksum(run_id, position, &record.kind, &record.body);
        statement.execute((place(run, position)?, &record.kind, &record.body, sum))?;
    }
    Ok(())
}

/// The row of an environment; equal environments share one.
fn environment(connection: &Connection, shared: &SharedText) -> Result<i64, StoreError> {
    let SharedText { hash, body } = shared;
    let known = connection
        .prepare_cached("SELECT environment FROM environments WHERE content_hash = ?1")?
        .query_row([hash], |row| row.get(0))
        .optional()?;
    if let Some(known) = known {
        return Ok(known);
    }
    connection
        .prepare_cached("INSERT INTO environments (content_hash, document) VALUES (?1, ?2)")?
        .execute((hash, body))?;
    Ok(connection.last_insert_rowid())
}

/// A run that has just been started: nothing to show yet.
const NEW_RUN: &str = "INSERT INTO runs (run_id, environment, deployment_id, artifact_id, artifact_version, plan_hash,
    idempotency_key, status, resume_readiness, diagnostics, result, trace_count, created_at, updated_at, lease_owner,
    lease_token, lease_until)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'running', 'not_applicable', '[]', '{}', 0, ?8, ?8, ?9, ?9 IS NOT NULL, ?10)";

impl RunStore for SqliteStore {
    fn create_run(&self, new: NewRun) -> Result<(), StoreError> {
        check_id(IdField::Run, &new.run_id)?;
        let at = number(new.at, "time")?;
        let until = number(new.driver.as_ref().map_or(0, |driver| driver.until), "time")?;
        self.writer.run(move |connection| {
            if connection.prepare_cached("SELECT 1 FROM runs WHERE run_id = ?1")?.exists([&new.run_id])? {
                return Err(StoreError::RunExists { run_id: new.run_id });
            }
            if let Some(key) = &new.idempotency_key
                && let Some(run_id) = run_with_key(connection, key)?
            {
                return Err(StoreError::KeyTaken { key: key.clone(), run_id });
            }
            let environment = environment(connection, &new.environment)?;
            connection.prepare_cached(NEW_RUN)?.execute((
                &new.run_id,
                environment,
                &new.deployment_id,
                &new.artifact_id,
                new.artifact_version,
                &new.plan_hash,
                &new.idempotency_key,
                at,
                new.driver.as_ref().map(|driver| &driver.owner),
                until,
            ))?;
            append(connection, connection.last_insert_rowid(), &new.run_id, 0, &new.records)
        })
    }

    fn commit_run(&self, commit: RunCommit) -> Result<(), StoreError> {
        let at = number(commit.at, "time")?;
        let texts = commit.change.as_ref().map(|change| (encode(&change.diagnostics), encode(&change.result)));
        self.writer.run(move |connection| {
            let run_id = &*commit.run_id;
            let (run, token): (i64, i64) = connection
                .prepare_cached("SELECT run, lease_token FROM runs WHERE run_id = ?1")?
                .query_row([run_id], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?
                .ok_or_else(|| StoreError::run_unknown(run_id))?;
            if commit.lease.is_some_and(|lease| lease != natural(token)) {
                return Err(StoreError::lease_lost(run_id));
            }
            let found = length(connection, run)?;
            if found != commit.after {
                let run_id = commit.run_id.clone();
                return Err(StoreError::JournalConflict { run_id, expected: commit.after, found });
            }
            append(connection, run, run_id, commit.after, &commit.records)?;
            if let Some(body) = &commit.snapshot {
                let position = commit.after + commit.records.len() as u64;
                connection
                    .prepare_cached(
                        "INSERT OR REPLACE INTO snapshots (run, position, body, checksum) VALUES (?1, ?2, ?3, ?4)",
                    )?
                    .execute((
                        run,
                        number(position, "journal position")?,
                        body,
                        checksum(run_id, position, "snapshot", body),
                    ))?;
            }
            if let (Some(change), Some((diagnostics, result))) = (&commit.change, &texts) {
                connection
                    .prepare_cached(
                        "UPDATE runs SET status = ?2, resume_readiness = ?3, diagnostics = ?4, result = ?5,
                         trace_count = ?6, updated_at = ?7 WHERE run = ?1",
                    )?
                    .execute((
                        run,
                        change.status.as_str(),
                        change.resume_readiness.as_str(),
                        diagnostics,
                        result,
                        number(change.trace_count, "trace count")?,
                        at,
                    ))?;
            }
            if commit.release {
                leases::release(connection, run_id, natural(token))?;
            }
            Ok(())
        })
    }

    fn head(&self, run_id: &str) -> Result<RunHead, StoreError> {
        self.readers.read(|transaction| {
            transaction
                .prepare_cached(&format!("SELECT {HEAD} FROM runs WHERE run_id = ?1"))?
                .query_row([run_id], HeadRow::read)
                .optional()?
                .ok_or_else(|| StoreError::run_unknown(run_id))?
                .head()
        })
    }

    fn run(&self, run_id: &str) -> Result<RunRecord, StoreError> {
        self.readers.read(|transaction| {
            let (row, environment) = transaction
                .prepare_cached(&format!(
                    "SELECT {HEAD}, environments.document FROM runs JOIN environments USING (environment)
                     WHERE run_id = ?1"
                ))?
                .query_row([run_id], |row| Ok((HeadRow::read(row)?, row.get::<_, String>(12)?)))
                .optional()?
                .ok_or_else(|| StoreError::run_unknown(run_id))?;
            let environment = decode(&environment, || format!("environment of run {run_id}"))?;
            Ok(RunRecord { head: row.head()?, environment })
        })
    }

    fn run_with_key(&self, key: &str) -> Result<Option<Arc<str>>, StoreError> {
        self.readers.read(|transaction| run_with_key(transaction, key))
    }

    fn runs(&self, filter: &RunFilter, offset: u64, limit: u64) -> Result<Listed<RunHead>, StoreError> {
        let offset = i64::try_from(offset).unwrap_or(i64::MAX);
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        // Only conditions that are asked for: a condition that is always true would hide the index.
        let mut conditions = Vec::new();
        let mut values: Vec<&dyn ToSql> = Vec::new();
        let status = filter.status.map(RunStatus::as_str);
        if let Some(status) = &status {
            conditions.push("status = ?");
            values.push(status);
        }
        if let Some(deployment_id) = &filter.deployment_id {
            conditions.push("deployment_id = ?");
            values.push(deployment_id);
        }
        let condition =
            if conditions.is_empty() { String::new() } else { format!("WHERE {}", conditions.join(" AND ")) };
        self.readers.read(|transaction| {
            let total = transaction
                .prepare_cached(&format!("SELECT coalesce(sum(runs), 0) FROM run_counts {condition}"))?
                .query_row(&*values, |row| row.get(0))?;
            let page: Vec<&dyn ToSql> = values.iter().copied().chain([&limit as &dyn ToSql, &offset]).collect();
            let mut statement = transaction.prepare_cached(&format!(
                "SELECT {HEAD} FROM runs {condition} ORDER BY updated_at DESC, run_id DESC LIMIT ? OFFSET ?"
            ))?;
            let rows = statement.query_map(&*page, HeadRow::read)?;
            let items = rows.map(|row| row?.head()).collect::<Result<_, StoreError>>()?;
            Ok(Listed { items, total: natural(total) })
        })
    }

    fn running(&self) -> Result<Vec<RunningRun>, StoreError> {
        self.readers.read(|transaction| leases::running(transaction))
    }

    fn journal(&self, run_id: &str, from: u64, limit: u64) -> Result<Vec<JournalRecord>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.readers.read(|transaction| {
            let run = run_key(transaction, run_id)?;
            let first = place(run, from.min(u64::from(u32::MAX)))?;
            let mut statement = transaction.prepare_cached(
                "SELECT place, kind, body, checksum FROM journal WHERE place BETWEEN ?1 AND ?2 ORDER BY place LIMIT ?3",
            )?;
            let rows = statement.query_map((first, place(run, u64::from(u32::MAX))?, limit), |row| {
                let record = JournalRecord { kind: row.get(1)?, body: row.get(2)? };
                Ok((row.get::<_, i64>(0)?, record, row.get::<_, i64>(3)?))
            })?;
            (from..)
                .zip(rows)
                .map(|(expected, row)| {
                    let (found, record, sum) = row?;
                    let damaged = |problem: &str| StoreError::RecordDamaged {
                        run_id: Arc::from(run_id),
                        what: format!("journal record {expected}"),
                        problem: problem.to_owned(),
                    };
                    if position(found) != expected {
                        return Err(damaged("it is missing"));
                    }
                    if checksum(run_id, expected, &record.kind, &record.body) != sum {
                        return Err(damaged("its checksum differs"));
                    }
                    Ok(record)
                })
                .collect()
        })
    }

    fn journal_length(&self, run_id: &str) -> Result<u64, StoreError> {
        self.readers.read(|transaction| length(transaction, run_key(transaction, run_id)?))
    }

    fn snapshot(&self, run_id: &str) -> Result<Option<Snapshot>, StoreError> {
        self.readers.read(|transaction| {
            let run = run_key(transaction, run_id)?;
            let found = transaction
                .prepare_cached("SELECT position, body, checksum FROM snapshots WHERE run = ?1")?
                .query_row([run], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Arc<str>>(1)?, row.get::<_, i64>(2)?)))
                .optional()?;
            let Some((position, body, sum)) = found else { return Ok(None) };
            let position = natural(position);
            if checksum(run_id, position, "snapshot", &body) != sum {
                return Err(StoreError::RecordDamaged {
                    run_id: Arc::from(run_id),
                    what: "the snapshot".to_owned(),
                    problem: "its checksum differs".to_owned(),
                });
            }
            Ok(Some(Snapshot { position, body }))
        })
    }

    fn take_lease(&self, run_id: &str, owner: &str, now: Millis, until: Millis) -> Result<Lease, StoreError> {
        let (run_id, owner): (Arc<str>, Arc<str>) = (Arc::from(run_id), Arc::from(owner));
        self.writer.run(move |connection| leases::take(connection, &run_id, &owner, now, until))
    }

    fn renew_lease(&self, run_id: &str, token: u64, until: Millis) -> Result<(), StoreError> {
        let run_id: Arc<str> = Arc::from(run_id);
        self.writer.run(move |connection| leases::renew(connection, &run_id, token, until))
    }

    fn release_lease(&self, run_id: &str, token: u64) -> Result<(), StoreError> {
        let run_id: Arc<str> = Arc::from(run_id);
        self.writer.run(move |connection| leases::release(connection, &run_id, token))
    }

    fn delete_run(&self, run_id: &str) -> Result<(), StoreError> {
        let run_id: Arc<str> = Arc::from(run_id);
        self.writer.run(move |connection| {
            let run = run_key(connection, &run_id)?;
            let environment: i64 = connection
                .prepare_cached("DELETE FROM runs WHERE run = ?1 RETURNING environment")?
                .query_row([run], |row| row.get(0))?;
            connection
                .prepare_cached(
                    "DELETE FROM environments WHERE environment = ?1
                     AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.environment = ?1)",
                )?
                .execute([environment])?;
            Ok(())
        })
    }
}

fn run_with_key(connection: &Connection, key: &str) -> Result<Option<Arc<str>>, StoreError> {
    let found = connection
        .prepare_cached("SELECT run_id FROM runs WHERE idempotency_key = ?1")?
        .query_row([key], |row| row.get(0))
        .optional()?;
    Ok(found)
}
