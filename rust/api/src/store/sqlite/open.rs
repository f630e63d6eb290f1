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
const MIGRATIONS: [&str; 3] = [
    include_str!("migrations/0001_first.sql"),
    include_str!("migrations/0002_settings.sql"),
    include_str!("migrations/0003_journal_by_place.sql"),
];

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

#[cfg(test)]
mod tests {
    use super::super::SqliteStore;
    use super::super::codec::checksum;
    use super::{APPLICATION_ID, MIGRATIONS};
    use crate::store::{ArtifactStore as _, RunStore as _};
    use rusqlite::Connection;

    /// A file of the first layout, with a run of three records beside one of another run.
    fn first_layout(path: &std::path::Path) {
        let file = Connection::open(path).unwrap();
        file.execute_batch(MIGRATIONS[0]).unwrap();
        file.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
        file.pragma_update(None, "user_version", 1).unwrap();
        file.execute("INSERT INTO environments VALUES (1, 'hash', '{}')", []).unwrap();
        for (key, run_id, records) in [(1, "run_1", 3_u32), (2, "run_2", 1)] {
            file.execute(
                "INSERT INTO runs (run, run_id, environment, deployment_id, artifact_id, artifact_version, plan_hash,
                 status, resume_readiness, diagnostics, result, trace_count, created_at, updated_at)
                 VALUES (?1, ?2, 1, 'd', 'a', 1, 'plan', 'running', 'not_applicable', '[]', '{}', 0, 1, 1)",
                (key, run_id),
            )
            .unwrap();
            for position in 0..records {
                let body = format!("{run_id} {position}");
                let sum = checksum(run_id, position.into(), "resolve", &body);
                file.execute("INSERT INTO journal VALUES (?1, ?2, 'resolve', ?3, ?4)", (key, position, body, sum))
                    .unwrap();
            }
        }
    }

    #[test]
    fn a_file_of_the_first_layout_is_brought_to_the_latest_and_keeps_its_journals() {
        let root = tempfile::tempdir().unwrap();
        first_layout(&root.path().join(SqliteStore::FILE_NAME));
        for _ in 0..2 {
            let store = SqliteStore::open(root.path()).unwrap();
            let bodies = |run: &str| -> Vec<String> {
                store.journal(run, 0, 10).unwrap().iter().map(|record| record.body.to_string()).collect()
            };
            assert_eq!(bodies("run_1"), ["run_1 0", "run_1 1", "run_1 2"]);
            assert_eq!(bodies("run_2"), ["run_2 0"]);
            assert_eq!(store.journal_length("run_1").unwrap(), 3);
            assert!(store.artifact_heads().unwrap().is_empty());
        }
        let store = SqliteStore::open(root.path()).unwrap();
        store.delete_run("run_1").unwrap();
        assert!(store.journal("run_1", 0, 10).is_err());
        assert_eq!(store.journal_length("run_2").unwrap(), 1, "the neighbour stays");
    }
}
