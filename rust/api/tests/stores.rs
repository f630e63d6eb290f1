//! The stores: what any must do, and what the file must survive.

use std::fs;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use rusqlite::Connection;
use wf_api::store::conformance::suite;
use wf_api::store::{
    ArtifactStore, Durability, EventRecord, EventStore, JournalRecord, MemoryStore, NewRun, RunCommit, RunFilter,
    RunStore, SharedText, SqliteOptions, SqliteStore, StoreError,
};
use wf_core::value::{Object, Value};

fn new_run(id: &str) -> NewRun {
    NewRun {
        run_id: id.into(),
        deployment_id: "daily".into(),
        artifact_id: "report".into(),
        artifact_version: 1,
        environment: SharedText::of(&Value::Object(Object::new())),
        plan_hash: "sha256:plan".into(),
        idempotency_key: None,
        driver: None,
        records: vec![record("start")],
        at: 1,
    }
}

fn record(text: &str) -> JournalRecord {
    JournalRecord { kind: "resolve".into(), body: text.into() }
}

fn append(id: &str, after: u64, text: &str) -> RunCommit {
    RunCommit {
        run_id: id.into(),
        after,
        lease: None,
        records: vec![record(text)],
        snapshot: None,
        change: None,
        release: false,
        at: 2,
    }
}

#[test]
fn the_store_in_memory_conforms() {
    for check in suite() {
        check.run(&MemoryStore::new());
    }
}

#[test]
fn the_store_in_a_file_conforms() {
    for check in suite() {
        for durability in [Durability::Full, Durability::Normal, Durability::Off] {
            let root = tempfile::tempdir().unwrap();
            let options = SqliteOptions { durability, ..SqliteOptions::default() };
            check.run(&SqliteStore::open_with(root.path(), options).unwrap());
        }
    }
}

#[test]
fn what_was_written_is_there_after_opening_the_file_again() {
    let root = tempfile::tempdir().unwrap();
    {
        let store = SqliteStore::open(root.path()).unwrap();
        store.create_run(new_run("run_1")).unwrap();
        store.commit_run(append("run_1", 1, "a")).unwrap();
    }
    let store = SqliteStore::open(root.path()).unwrap();
    assert_eq!(store.journal("run_1", 0, 10).unwrap(), [record("start"), record("a")]);
}

#[cfg(unix)]
#[test]
fn d38_the_files_are_readable_by_their_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;

    let root = tempfile::tempdir().unwrap();
    let mode = |name: &str| fs::metadata(root.path().join(name)).unwrap().permissions().mode() & 0o777;
    let store = SqliteStore::open(root.path()).unwrap();
    store.create_run(new_run("run_1")).unwrap();
    for name in ["wf.sqlite3", "wf.sqlite3-wal", "wf.sqlite3-shm"] {
        assert_eq!(mode(name), 0o600, "{name}");
    }
    drop(store);
    fs::set_permissions(root.path().join("wf.sqlite3"), fs::Permissions::from_mode(0o644)).unwrap();
    SqliteStore::open(root.path()).unwrap();
    assert_eq!(mode("wf.sqlite3"), 0o600);
}

#[test]
fn a_file_that_is_no_store_is_refused_and_left_as_it_is() {
    let refused = |prepare: &dyn Fn(&std::path::Path)| {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join(SqliteStore::FILE_NAME);
        prepare(&path);
        let error = SqliteStore::open(root.path()).unwrap_err();
        assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
        error.code()
    };
    assert_eq!(
        refused(&|path| fs::write(path, "a text file, long enough to have a header\n".repeat(99)).unwrap()),
        "store.foreign"
    );
    assert_eq!(
        refused(&|path| Connection::open(path).unwrap().execute_batch("CREATE TABLE mine (a)").unwrap()),
        "store.foreign"
    );
    assert_eq!(
        refused(&|path| {
            drop(SqliteStore::open(path.parent().unwrap()).unwrap());
            Connection::open(path).unwrap().pragma_update(None, "user_version", 99).unwrap();
        }),
        "store.too_new"
    );
    assert_eq!(refused(&|path| fs::create_dir(path).unwrap()), "store.unavailable");
}

#[test]
fn a_record_that_is_not_what_was_written_is_named_and_the_other_runs_go_on() {
    let root = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(root.path()).unwrap();
    for id in ["run_1", "run_2", "run_3"] {
        store.create_run(new_run(id)).unwrap();
        store.commit_run(append(id, 1, "a")).unwrap();
        let mut last = append(id, 2, "b");
        last.snapshot = Some("snapshot".into());
        store.commit_run(last).unwrap();
    }
    let raw = Connection::open(store.path()).unwrap();
    let damage = |sql: &str| assert_eq!(raw.execute(sql, []).unwrap(), 1);
    let run = |id: &str| format!("(SELECT run FROM runs WHERE run_id = '{id}')");
    let second = |id: &str| format!("place = {} << 32 | 1", run(id));
    damage(&format!("UPDATE journal SET body = 'x' WHERE {}", second("run_1")));
    damage(&format!("DELETE FROM journal WHERE {}", second("run_2")));
    damage(&format!("UPDATE snapshots SET position = 2 WHERE run = {}", run("run_1")));
    let damaged = |id: &str| store.journal(id, 0, 10).unwrap_err();
    assert_eq!(damaged("run_1").code(), "store.record_damaged");
    assert_eq!(
        damaged("run_1").to_string(),
        "journal record 1 of workflow run 'run_1' is damaged: its checksum differs"
    );
    assert_eq!(damaged("run_2").to_string(), "journal record 1 of workflow run 'run_2' is damaged: it is missing");
    assert_eq!(
        store.snapshot("run_1").unwrap_err().to_string(),
        "the snapshot of workflow run 'run_1' is damaged: its checksum differs"
    );
    assert_eq!(store.journal("run_3", 0, 10).unwrap().len(), 3);
    assert_eq!(store.snapshot("run_3").unwrap().unwrap().position, 3);
}

#[test]
fn a_run_that_is_deleted_takes_its_journal_along_and_no_other() {
    let root = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(root.path()).unwrap();
    for id in ["run_1", "run_2", "run_3"] {
        store.create_run(new_run(id)).unwrap();
        store.commit_run(append(id, 1, "a")).unwrap();
    }
    store.delete_run("run_2").unwrap();
    let raw = Connection::open(store.path()).unwrap();
    assert_eq!(raw.query_row("SELECT count(*) FROM journal", [], |row| row.get::<_, i64>(0)).unwrap(), 4);
    assert_eq!(store.journal("run_1", 0, 10).unwrap().len(), 2);
    assert_eq!(store.journal("run_3", 1, 10).unwrap(), [record("a")]);
}

#[test]
fn a_record_of_a_kilobyte_takes_little_more_than_that() {
    let root = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(root.path()).unwrap();
    store.create_run(new_run("run_1")).unwrap();
    for position in 1..=300 {
        store.commit_run(append("run_1", position, &"x".repeat(1_100))).unwrap();
    }
    let raw = Connection::open(store.path()).unwrap();
    raw.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let bytes = fs::metadata(store.path()).unwrap().len();
    assert!(bytes < 300 * 1_600 + 150_000, "{bytes}");
}

#[test]
fn many_writers_at_once_lose_nothing() {
    let root = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(root.path()).unwrap());
    let start = Arc::new(Barrier::new(8));
    let threads: Vec<_> = (0..8)
        .map(|thread| {
            let (store, start) = (Arc::clone(&store), Arc::clone(&start));
            thread::spawn(move || {
                let id = format!("run_{thread}");
                start.wait();
                store.create_run(new_run(&id)).unwrap();
                for step in 1..=50 {
                    store.commit_run(append(&id, step, &format!("{thread} {step}"))).unwrap();
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(store.runs(&RunFilter::default(), 0, 100).unwrap().total, 8);
    for thread in 0..8 {
        let journal = store.journal(&format!("run_{thread}"), 1, 100).unwrap();
        let texts: Vec<String> = journal.iter().map(|record| record.body.to_string()).collect();
        assert_eq!(texts, (1..=50).map(|step| format!("{thread} {step}")).collect::<Vec<_>>());
    }
}

#[test]
fn two_stores_on_one_file_see_each_other_and_only_one_may_continue_a_journal() {
    let root = tempfile::tempdir().unwrap();
    let one = SqliteStore::open(root.path()).unwrap();
    let two = SqliteStore::open(root.path()).unwrap();
    one.create_run(new_run("run_1")).unwrap();
    two.commit_run(append("run_1", 1, "two")).unwrap();
    let late = one.commit_run(append("run_1", 1, "one")).unwrap_err();
    assert_eq!(late.code(), "run.journal_conflict");
    assert_eq!(one.journal("run_1", 1, 9).unwrap(), [record("two")]);
}

#[test]
fn a_lock_that_is_held_too_long_is_an_error_and_the_store_goes_on() {
    let root = tempfile::tempdir().unwrap();
    let options = SqliteOptions { busy_timeout: Duration::from_millis(20), ..SqliteOptions::default() };
    let store = SqliteStore::open_with(root.path(), options).unwrap();
    store.create_run(new_run("run_1")).unwrap();
    let other = Connection::open(store.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let busy = store.commit_run(append("run_1", 1, "a")).unwrap_err();
    assert!(matches!(busy, StoreError::Busy { .. }), "{busy}");
    // Reading never waits for a writer.
    assert_eq!(store.journal_length("run_1").unwrap(), 1);
    other.execute_batch("ROLLBACK").unwrap();
    store.commit_run(append("run_1", 1, "a")).unwrap();
}

#[test]
fn a_write_that_the_database_refuses_fails_alone() {
    let root = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(root.path()).unwrap();
    store.create_run(new_run("run_1")).unwrap();
    let raw = Connection::open(store.path()).unwrap();
    raw.execute_batch("CREATE TRIGGER no_room BEFORE INSERT ON events BEGIN SELECT raise(FAIL, 'no room'); END")
        .unwrap();
    let event = EventRecord {
        kind: "k".into(),
        timestamp_epoch_ms: 1,
        capability_id: None,
        payload: Value::Object(Object::new()),
    };
    assert_eq!(store.record_event(event).unwrap_err().code(), "store.failed");
    store.commit_run(append("run_1", 1, "a")).unwrap();
    assert!(store.artifact_heads().unwrap().is_empty());
    assert_eq!(store.events(0, 9).unwrap().total, 0);
}

#[test]
fn runs_of_one_deployment_share_one_environment() {
    let root = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(root.path()).unwrap();
    let raw = Connection::open(store.path()).unwrap();
    let environments = || -> i64 { raw.query_row("SELECT count(*) FROM environments", [], |row| row.get(0)).unwrap() };
    store.create_run(new_run("run_1")).unwrap();
    store.create_run(new_run("run_2")).unwrap();
    assert_eq!(environments(), 1);
    store.delete_run("run_1").unwrap();
    assert_eq!(environments(), 1);
    store.delete_run("run_2").unwrap();
    assert_eq!(environments(), 0);
}
