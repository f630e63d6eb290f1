//! Opening the file: permissions, settings, and the layout it has to have.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::SqliteOptions;
use crate::store::StoreError;

/// Marks the file as ours (the four letters `wfdb`).
const APPLICATION_ID: i64 = 0x7766_6462;

/// The layouts in order; layout `n` is what the first `n` scripts make.
const MIGRATIONS: [&str; 2] = [include_str!("migrations/0001_first.sql"), include_str!("migrations/0002_settings.sql")];

/// Opens the file for writing; makes it, and brings it to the latest layout.
pub(super) fn writer(path: &Path, options: SqliteOptions) -> Result<Connection, StoreError> {
    private_file(path).map_err(|cause| StoreError::Unavailable { path: path.to_owned(), cause: Arc::new(cause) })?;
    let mut connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.busy_timeout(options.busy_timeout)?;
    connection.set_prepared_statement_cache_capacity(64);
    let mode: String = connection
        .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
        .map_err(|error| foreign(path, error))?;
    if !mode.eq_ignore_ascii_case("wal") {
        let problem = format!("its file system allows journal mode `{mode}` only, not `wal`");
        return Err(StoreError::Foreign { path: path.to_owned(), problem });
    }
    connection.pragma_update(None, "synchronous", options.durability.pragma())?;
    connection.pragma_update(None, "foreign_keys", true)?;
    migrate(&mut connection, path)?;
    Ok(connection)
}

/// Opens the file for reading; it is there already and has the latest layout.
pub(super) fn reader(path: &Path, busy_timeout: Duration) -> Result<Connection, StoreError> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.busy_timeout(busy_timeout)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Makes the file, or takes everybody else's permission away from one that is there.
///
/// The database gives its helper files (`-wal`, `-shm`) the permissions of the file itself.
fn private_file(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;

        if file.metadata()?.permissions().mode() & 0o077 != 0 {
            file.set_permissions(fs::Permissions::from_mode(0o600))?;
        }
    }
    drop(file);
    Ok(())
}

/// A file that is no database at all is named as such.
fn foreign(path: &Path, error: rusqlite::Error) -> StoreError {
    if error.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase) {
        return StoreError::Foreign { path: path.to_owned(), problem: "it is no database".to_owned() };
    }
    error.into()
}

fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    // Two processes may open a fresh file at once; the lock makes one of them wait and then find the work done.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    let found: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let application: i64 = transaction.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: i64 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let fresh = tables == 0 && found == 0 && application == 0;
    if !fresh && application != APPLICATION_ID {
        return Err(StoreError::Foreign {
            path: path.to_owned(),
            problem: format!("it is a database of another application (id {application})"),
        });
    }
    if found > known {
        return Err(StoreError::TooNew { path: path.to_owned(), found, known });
    }
    for script in MIGRATIONS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute_batch(script)?;
    }
    if found < known {
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", known)?;
    }
    transaction.commit()?;
    Ok(())
}
