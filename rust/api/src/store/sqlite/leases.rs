//! Leases: who may drive a run.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _};

use super::codec::{natural, number};
use crate::store::{Driver, Lease, Millis, RunningRun, StoreError};

pub(super) fn take(
    connection: &Connection,
    run_id: &Arc<str>,
    owner: &str,
    now: Millis,
    until: Millis,
) -> Result<Lease, StoreError> {
    let (holder, token, runs_out): (Option<Arc<str>>, i64, i64) = connection
        .prepare_cached("SELECT lease_owner, lease_token, lease_until FROM runs WHERE run_id = ?1")?
        .query_row([run_id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?
        .ok_or_else(|| StoreError::run_unknown(run_id))?;
    if let Some(holder) = holder.filter(|holder| **holder != *owner && natural(runs_out) > now) {
        return Err(StoreError::LeaseTaken { run_id: run_id.clone(), owner: holder, until: natural(runs_out) });
    }
    connection
        .prepare_cached("UPDATE runs SET lease_owner = ?2, lease_token = ?3, lease_until = ?4 WHERE run_id = ?1")?
        .execute((run_id, owner, token + 1, number(until, "time")?))?;
    Ok(Lease { token: natural(token + 1), until })
}

pub(super) fn running(connection: &Connection) -> Result<Vec<RunningRun>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT run_id, lease_owner, lease_token, lease_until FROM runs WHERE status = 'running'
         ORDER BY updated_at, run_id",
    )?;
    let rows = statement.query_map([], |row| {
        let (owner, until): (Option<Arc<str>>, i64) = (row.get(1)?, row.get(3)?);
        Ok(RunningRun {
            run_id: row.get(0)?,
            driver: owner.map(|owner| Driver { owner, until: natural(until) }),
            token: natural(row.get(2)?),
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(super) fn renew(connection: &Connection, run_id: &str, token: u64, until: Millis) -> Result<(), StoreError> {
    let renewed = connection
        .prepare_cached(
            "UPDATE runs SET lease_until = ?3 WHERE run_id = ?1 AND lease_token = ?2 AND lease_owner IS NOT NULL",
        )?
        .execute((run_id, number(token, "lease token")?, number(until, "time")?))?;
    if renewed == 0 { Err(StoreError::lease_lost(run_id)) } else { Ok(()) }
}

pub(super) fn release(connection: &Connection, run_id: &str, token: u64) -> Result<(), StoreError> {
    connection
        .prepare_cached("UPDATE runs SET lease_owner = NULL, lease_until = 0 WHERE run_id = ?1 AND lease_token = ?2")?
        .execute((run_id, number(token, "lease token")?))?;
    Ok(())
}
