//! Connections that only read; in this mode of the database they wait for no writer.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, Transaction};

use super::open;
use crate::store::StoreError;

/// How many connections are kept for the next reads.
const MOST_KEPT: usize = 8;

/// The reading side of a store.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    busy_timeout: Duration,
    free: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(super) fn new(path: PathBuf, busy_timeout: Duration) -> Self {
        Self { path, busy_timeout, free: Mutex::default() }
    }

    /// Reads one consistent state.
    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let kept = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut connection = match kept {
            Some(connection) => connection,
            None => open::reader(&self.path, self.busy_timeout)?,
        };
        let transaction = connection.transaction()?;
        let result = work(&transaction);
        transaction.finish()?;
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if free.len() < MOST_KEPT {
            free.push(connection);
        }
        result
    }
}
