//! What any store must do, as checks that run against one.
//!
//! Whoever writes a store runs [`suite`] against a fresh instance for each check:
//!
//! ```
//! use wf_api::store::{MemoryStore, conformance};
//!
//! for check in conformance::suite() {
//!     check.run(&MemoryStore::new());
//! }
//! ```
//!
//! A check panics at the first thing that is not as it must be, so it can stand in a test as it is.

use std::sync::Arc;

use wf_core::value::{Object, Value};

use super::{
    ArtifactHead, ArtifactRecord, DeploymentRecord, EventRecord, JournalRecord, NewRun, ResumeReadiness, RunChange,
    RunCommit, RunFilter, RunStatus, Saved, SettingChange, SettingKind, SharedText, Store, StoreError,
};

/// One thing that a store must do.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// What it must do, as a sentence.
    pub name: &'static str,
    check: fn(&dyn Store),
}

impl Check {
    /// Runs the check on a fresh store.
    ///
    /// # Panics
    /// When the store does not conform.
    pub fn run(&self, store: &dyn Store) {
        (self.check)(store);
    }
}

/// Every check.
pub fn suite() -> &'static [Check] {
    macro_rules! checks {
        ($($name:ident),+ $(,)?) => { &[$(Check { name: stringify!($name), check: $name }),+] };
    }
    checks![
        a_version_of_an_artifact_never_changes,
        versions_are_listed_and_found_by_number,
        an_artifact_that_is_deployed_is_not_deleted,
        ids_have_a_form,
        a_deployment_is_replaced_by_its_id,
        a_run_keeps_its_environment_and_starts_running,
        a_commit_is_all_or_nothing,
        a_journal_is_read_in_parts,
        the_last_snapshot_counts,
        runs_are_listed_latest_first_and_counted,
        an_id_or_a_key_starts_one_run_only,
        a_lease_fences_off_the_owner_before,
        a_deleted_run_leaves_nothing,
        events_are_numbered_in_order,
        a_setting_changes_only_from_what_its_writer_saw,
    ]
}

/// What went wrong, when something has to.
fn error<T: std::fmt::Debug>(result: Result<T, StoreError>) -> &'static str {
    result.expect_err("the store must refuse this").code()
}

fn fine<T>(result: Result<T, StoreError>) -> T {
    result.unwrap_or_else(|error| panic!("the store must accept this: {error}"))
}

fn document(text: &str) -> Value {
    // Exact integers and the order of keys must come back.
    let keys = [("z", Value::from(text)), ("a", Value::big_int(num_bigint_of(text))), ("m", Value::Float(0.1))];
    keys.into_iter().collect::<Object>().into()
}

fn num_bigint_of(text: &str) -> num_bigint::BigInt {
    num_bigint::BigInt::from(u64::MAX) * (text.len() + 1)
}

fn artifact(id: &str, version: u32, text: &str) -> ArtifactRecord {
    ArtifactRecord {
        head: ArtifactHead {
            artifact_id: id.into(),
            version,
            kind: "workflow".into(),
            title: format!("Title of {id}").into(),
            description: (version > 1).then(|| Arc::from("described")),
        },
        content_hash: format!("sha256:{text}").into(),
        document: document(text),
        created_at: 1_000 + u64::from(version),
    }
}

fn deployment(id: &str, artifact_id: &str, version: u32) -> DeploymentRecord {
    DeploymentRecord {
        deployment_id: id.into(),
        artifact_id: artifact_id.into(),
        artifact_version: version,
        document: document(id),
        updated_at: 2_000,
    }
}

fn record(text: &str) -> JournalRecord {
    JournalRecord { kind: "resolve".into(), body: format!("{{\"text\":\"{text}\"}}").into() }
}

fn new_run(id: &str, at: u64) -> NewRun {
    NewRun {
        run_id: id.into(),
        deployment_id: "daily".into(),
        artifact_id: "report".into(),
        artifact_version: 1,
        environment: SharedText::of(&document("environment")),
        plan_hash: "sha256:plan".into(),
        idempotency_key: None,
        driver: None,
        records: vec![record("start")],
        at,
    }
}

fn change(status: RunStatus) -> RunChange {
    RunChange {
        status,
        resume_readiness: if status == RunStatus::Interrupted {
            ResumeReadiness::Ready
        } else {
            ResumeReadiness::NotApplicable
        },
        diagnostics: Value::from(vec![document("diagnostic")]),
        result: document("result"),
        trace_count: 3,
    }
}

fn commit(id: &str, after: u64, records: &[&str], at: u64) -> RunCommit {
    RunCommit {
        run_id: id.into(),
        after,
        lease: None,
        records: records.iter().map(|text| record(text)).collect(),
        snapshot: None,
        change: None,
        release: false,
        at,
    }
}

fn a_version_of_an_artifact_never_changes(store: &dyn Store) {
    assert_eq!(fine(store.save_artifact(artifact("report", 1, "one"))), Saved::New);
    assert_eq!(fine(store.save_artifact(artifact("report", 1, "one"))), Saved::Unchanged);
    assert_eq!(error(store.save_artifact(artifact("report", 1, "other"))), "artifact_exists");
    assert_eq!(fine(store.artifact("report", 1)), artifact("report", 1, "one"));
    assert_eq!(fine(store.save_artifact(artifact("report", 2, "other"))), Saved::New);
}

fn versions_are_listed_and_found_by_number(store: &dyn Store) {
    for (id, version) in [("b", 1), ("a", 10), ("a", 2), ("a.x", 1)] {
        fine(store.save_artifact(artifact(id, version, "text")));
    }
    let heads: Vec<(Arc<str>, u32)> =
        fine(store.artifact_heads()).into_iter().map(|head| (head.artifact_id, head.version)).collect();
    let expected: Vec<(Arc<str>, u32)> = vec![("a".into(), 2), ("a".into(), 10), ("a.x".into(), 1), ("b".into(), 1)];
    assert_eq!(heads, expected);
    assert_eq!(fine(store.latest_artifact("a")).head.version, 10);
    let missing = store.artifact("a", 3).expect_err("there is no version 3");
    assert_eq!((missing.code(), missing.to_string().as_str()), ("artifact.unknown", "unknown workflow artifact a@3"));
    let unknown = store.latest_artifact("zzz").expect_err("there is no such artifact");
    assert_eq!(unknown.to_string(), "unknown workflow artifact 'zzz'");
}

fn an_artifact_that_is_deployed_is_not_deleted(store: &dyn Store) {
    fine(store.save_artifact(artifact("report", 1, "one")));
    fine(store.save_deployment(deployment("weekly", "report", 1)));
    fine(store.save_deployment(deployment("daily", "report", 1)));
    fine(store.save_deployment(deployment("other", "report", 2)));
    let users: Vec<Arc<str>> = vec!["daily".into(), "weekly".into()];
    assert_eq!(fine(store.delete_artifact("report", 1)), users);
    fine(store.artifact("report", 1));
    fine(store.delete_deployment("daily"));
    fine(store.delete_deployment("weekly"));
    assert!(fine(store.delete_artifact("report", 1)).is_empty());
    assert_eq!(error(store.artifact("report", 1)), "artifact.unknown");
    assert_eq!(error(store.delete_artifact("report", 1)), "artifact.unknown");
}

fn ids_have_a_form(store: &dyn Store) {
    for id in ["", ".a", "-a", "a/b", "a b", "ä", "..", "a\0"] {
        let refused = store.save_artifact(artifact(id, 1, "one")).expect_err("no id");
        assert_eq!(refused.code(), "store.id_invalid", "{id}");
        assert!(refused.to_string().starts_with("artifact_id must start with alphanumeric or underscore"), "{refused}");
        assert_eq!(error(store.save_deployment(deployment(id, "report", 1))), "store.id_invalid");
        assert_eq!(error(store.create_run(new_run(id, 1))), "store.id_invalid");
    }
    for id in ["a", "_", "9.x-y_z"] {
        fine(store.save_artifact(artifact(id, 1, "one")));
    }
}

fn a_deployment_is_replaced_by_its_id(store: &dyn Store) {
    fine(store.save_deployment(deployment("daily", "report", 1)));
    fine(store.save_deployment(deployment("a", "report", 1)));
    fine(store.save_deployment(deployment("daily", "report", 2)));
    assert_eq!(fine(store.deployment("daily")), deployment("daily", "report", 2));
    let ids: Vec<Arc<str>> = fine(store.deployments()).into_iter().map(|found| found.deployment_id).collect();
    let expected: Vec<Arc<str>> = vec!["a".into(), "daily".into()];
    assert_eq!(ids, expected);
    let unknown = store.deployment("zzz").expect_err("there is no such deployment");
    assert_eq!(
        (unknown.code(), unknown.to_string().as_str()),
        ("deployment.unknown", "unknown workflow deployment 'zzz'")
    );
    assert_eq!(error(store.delete_deployment("zzz")), "deployment.unknown");
}

fn a_run_keeps_its_environment_and_starts_running(store: &dyn Store) {
    fine(store.create_run(new_run("run_1", 5)));
    fine(store.create_run(new_run("run_2", 6)));
    let run = fine(store.run("run_1"));
    assert_eq!(run.environment, document("environment"));
    assert_eq!((run.head.state.status, run.head.state.trace_count), (RunStatus::Running, 0));
    assert_eq!((run.head.created_at, run.head.updated_at), (5, 5));
    let unknown = store.run("zzz").expect_err("there is no such run");
    assert_eq!((unknown.code(), unknown.to_string().as_str()), ("run.unknown", "unknown workflow run 'zzz'"));
}

fn a_commit_is_all_or_nothing(store: &dyn Store) {
    fine(store.create_run(new_run("run_1", 5)));
    let mut good = commit("run_1", 1, &["a", "b"], 9);
    good.change = Some(change(RunStatus::Interrupted));
    fine(store.commit_run(good));
    let head = fine(store.run("run_1")).head;
    assert_eq!(head.state, change(RunStatus::Interrupted));
    assert_eq!((head.created_at, head.updated_at), (5, 9));
    let mut late = commit("run_1", 1, &["c"], 10);
    late.change = Some(change(RunStatus::Completed));
    late.snapshot = Some("{}".into());
    let refused = store.commit_run(late).expect_err("the journal is longer");
    assert_eq!(refused.code(), "run.journal_conflict");
    assert_eq!(refused.to_string(), "workflow run 'run_1' has 3 journal records where its writer expected 1");
    assert_eq!(fine(store.journal_length("run_1")), 3);
    assert_eq!(fine(store.run("run_1")).head.state.status, RunStatus::Interrupted);
    assert_eq!(fine(store.snapshot("run_1")), None);
    assert_eq!(error(store.commit_run(commit("run_1", 7, &["c"], 10))), "run.journal_conflict");
    assert_eq!(error(store.commit_run(commit("zzz", 0, &[], 10))), "run.unknown");
}

fn a_journal_is_read_in_parts(store: &dyn Store) {
    fine(store.create_run(new_run("run_1", 5)));
    fine(store.create_run(new_run("run_2", 5)));
    fine(store.commit_run(commit("run_1", 1, &["a", "b"], 6)));
    fine(store.commit_run(commit("run_2", 1, &["x"], 6)));
    fine(store.commit_run(commit("run_1", 3, &["c"], 7)));
    let texts = |position, limit| fine(store.journal("run_1", position, limit));
    assert_eq!(texts(0, 100), ["start", "a", "b", "c"].map(record));
    assert_eq!(texts(1, 2), ["a", "b"].map(record));
    assert_eq!(texts(4, 2), []);
    assert_eq!(fine(store.journal_length("run_2")), 2);
    assert_eq!(error(store.journal("zzz", 0, 1)), "run.unknown");
}

fn the_last_snapshot_counts(store: &dyn Store) {
    fine(store.create_run(new_run("run_1", 5)));
    assert_eq!(fine(store.snapshot("run_1")), None);
    for (after, body) in [(1, "one"), (2, "two")] {
        let mut next = commit("run_1", after, &["a"], 6);
        next.snapshot = Some(body.into());
        fine(store.commit_run(next));
    }
    let snapshot = fine(store.snapshot("run_1")).expect("a snapshot was written");
    assert_eq!((snapshot.position, &*snapshot.body), (3, "two"));
    assert_eq!(error(store.snapshot("zzz")), "run.unknown");
}

fn runs_are_listed_latest_first_and_counted(store: &dyn Store) {
    for (id, at) in [("a", 1), ("b", 3), ("c", 3), ("d", 2)] {
        let mut run = new_run(id, at);
        run.deployment_id = if id == "d" { "other".into() } else { "daily".into() };
        fine(store.create_run(run));
    }
    let mut finish = commit("a", 1, &[], 9);
    finish.change = Some(change(RunStatus::Completed));
    fine(store.commit_run(finish));
    let list = |filter: RunFilter, offset, limit| {
        let listed = fine(store.runs(&filter, offset, limit));
        let ids: Vec<String> = listed.items.iter().map(|head| head.run_id.to_string()).collect();
        (ids.join(" "), listed.total)
    };
    assert_eq!(list(RunFilter::default(), 0, 10), ("a c b d".to_owned(), 4));
    assert_eq!(list(RunFilter::default(), 1, 2), ("c b".to_owned(), 4));
    let status = |status| RunFilter { status: Some(status), ..RunFilter::default() };
    assert_eq!(list(status(RunStatus::Running), 0, 10), ("c b d".to_owned(), 3));
    assert_eq!(list(status(RunStatus::Failed), 0, 10), (String::new(), 0));
    let daily = RunFilter { deployment_id: Some("daily".into()), status: Some(RunStatus::Running) };
    assert_eq!(list(daily, 0, 10), ("c b".to_owned(), 2));
    fine(store.delete_run("c"));
    assert_eq!(list(RunFilter::default(), 0, 10), ("a b d".to_owned(), 3));
}

fn an_id_or_a_key_starts_one_run_only(store: &dyn Store) {
    let mut first = new_run("run_1", 5);
    first.idempotency_key = Some("today".into());
    fine(store.create_run(first));
    assert_eq!(error(store.create_run(new_run("run_1", 6))), "run.exists");
    let mut second = new_run("run_2", 6);
    second.idempotency_key = Some("today".into());
    let refused = store.create_run(second).expect_err("the key is taken");
    assert_eq!(refused.code(), "run.key_taken");
    assert_eq!(refused.to_string(), "key 'today' already started workflow run 'run_1'");
    assert_eq!(fine(store.run_with_key("today")).as_deref(), Some("run_1"));
    assert_eq!(fine(store.run_with_key("tomorrow")), None);
}

fn a_lease_fences_off_the_owner_before(store: &dyn Store) {
    fine(store.create_run(new_run("run_1", 5)));
    let first = fine(store.take_lease("run_1", "one", 100, 200));
    let taken = store.take_lease("run_1", "two", 150, 250).expect_err("the lease has not run out");
    assert_eq!(taken.code(), "run.lease_taken");
    fine(store.renew_lease("run_1", first.token, 300));
    assert_eq!(error(store.take_lease("run_1", "two", 250, 350)), "run.lease_taken");
    let second = fine(store.take_lease("run_1", "two", 300, 400));
    assert!(second.token > first.token);
    let mut late = commit("run_1", 1, &["late"], 301);
    late.lease = Some(first.token);
    assert_eq!(error(store.commit_run(late)), "run.lease_lost");
    assert_eq!(error(store.renew_lease("run_1", first.token, 500)), "run.lease_lost");
    fine(store.release_lease("run_1", first.token));
    assert_eq!(error(store.take_lease("run_1", "three", 310, 400)), "run.lease_taken");
    let mut current = commit("run_1", 1, &["current"], 302);
    current.lease = Some(second.token);
    fine(store.commit_run(current));
    fine(store.release_lease("run_1", second.token));
    assert_eq!(error(store.renew_lease("run_1", second.token, 500)), "run.lease_lost");
    fine(store.take_lease("run_1", "three", 310, 400));
    assert_eq!(error(store.take_lease("zzz", "one", 1, 2)), "run.unknown");
}

fn a_deleted_run_leaves_nothing(store: &dyn Store) {
    let mut keyed = new_run("run_1", 5);
    keyed.idempotency_key = Some("today".into());
    fine(store.create_run(keyed));
    fine(store.create_run(new_run("run_2", 5)));
    let mut next = commit("run_1", 1, &["a"], 6);
    next.snapshot = Some("{}".into());
    fine(store.commit_run(next));
    fine(store.delete_run("run_1"));
    assert_eq!(error(store.run("run_1")), "run.unknown");
    assert_eq!(error(store.journal("run_1", 0, 1)), "run.unknown");
    assert_eq!(error(store.delete_run("run_1")), "run.unknown");
    assert_eq!(fine(store.run_with_key("today")), None);
    // The environment was shared, so it stays for the other run.
    assert_eq!(fine(store.run("run_2")).environment, document("environment"));
    fine(store.create_run(new_run("run_1", 7)));
    assert_eq!(fine(store.journal_length("run_1")), 1);
    assert_eq!(fine(store.snapshot("run_1")), None);
}

fn events_are_numbered_in_order(store: &dyn Store) {
    let event = |kind: &str, at| EventRecord {
        kind: kind.into(),
        timestamp_epoch_ms: at,
        capability_id: (at > 1).then(|| Arc::from("deployment.daily")),
        payload: document(kind),
    };
    for (kind, at) in [("first", 1), ("second", 3), ("third", 2)] {
        fine(store.record_event(event(kind, at)));
    }
    let listed = fine(store.events(0, 2));
    assert_eq!(listed.total, 3);
    assert_eq!(listed.items.iter().map(|stored| stored.number).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(listed.items[0].event, event("first", 1));
    let rest = fine(store.events(2, 10));
    assert_eq!(rest.items.iter().map(|stored| &*stored.event.kind).collect::<Vec<_>>(), ["third"]);
}

fn a_setting_changes_only_from_what_its_writer_saw(store: &dyn Store) {
    let change = |kind, id: &str, before: Option<&str>, after: Option<&str>| SettingChange {
        kind,
        id: id.into(),
        before: before.map(document),
        after: after.map(document),
        at: 5,
        event: EventRecord {
            kind: "setting_changed".into(),
            timestamp_epoch_ms: 5,
            capability_id: None,
            payload: document(r#"{"by": "someone"}"#),
        },
    };
    let policy = SettingKind::SourcePolicy;
    assert!(fine(store.change_setting(change(policy, "b", None, Some(r#"{"n": 1}"#)))));
    assert!(!fine(store.change_setting(change(policy, "b", None, Some(r#"{"n": 2}"#)))));
    assert!(fine(store.change_setting(change(policy, "b", Some(r#"{"n": 1}"#), Some(r#"{"n": 2}"#)))));
    assert!(fine(store.change_setting(change(policy, "a", None, Some("{}")))));
    assert!(fine(store.change_setting(change(SettingKind::Connection, "b", None, Some("{}")))));
    assert_eq!(fine(store.setting(policy, "b")), Some(document(r#"{"n": 2}"#)));
    let listed = fine(store.settings(policy));
    assert_eq!(listed.iter().map(|(id, _)| &**id).collect::<Vec<_>>(), ["a", "b"]);
    assert!(fine(store.change_setting(change(policy, "b", Some(r#"{"n": 2}"#), None))));
    assert_eq!(fine(store.setting(policy, "b")), None);
    assert_eq!(fine(store.events(0, 10)).total, 5, "a refused change leaves no event");
}
