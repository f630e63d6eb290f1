//! The application end to end, with native handlers: save, deploy, validate, run, look.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value as Json, json};
use wf_api::builtin::{Builtin, builtin_sources};
use wf_api::clock::Clock;
use wf_api::driver::drive;
use wf_api::error::ApiError;
use wf_api::file::FileReader;
use wf_api::handler::Handler;
use wf_api::operations::{Application, Begun, Driven, Prepared, TraceRange};
use wf_api::process::Process;
use wf_api::resource::{
    PlatformContext, ReaderDirectory, ReaderRouter, ResourceError, ResourceReader, SourceBindingPlatformContext,
};
use wf_api::store::{MemoryStore, SqliteStore, Store};
use wf_core::value::{Object, Value};
use wf_platform::SourceId;
use wf_platform::artifact::{ArtifactDraft, ArtifactKind};
use wf_platform::registry::SourceRegistry;
use wf_platform::source::{CapabilitySource, SourceKind};

/// A clock that a test moves.
#[derive(Default)]
struct TestClock(AtomicU64);

impl Clock for TestClock {
    fn now(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

struct Server {
    app: Application<Builtin>,
    reader: Arc<FileReader>,
    _root: tempfile::TempDir,
}

/// Knows the one source that can be read.
struct Directory(Arc<SourceRegistry<Builtin>>, Arc<FileReader>);

impl ReaderDirectory for Directory {
    fn reader_of(&self, source_id: &str) -> Result<Arc<dyn ResourceReader>, ResourceError> {
        let id: Arc<str> = source_id.into();
        let snapshot = self.0.snapshot();
        let entry = snapshot.get(source_id).ok_or_else(|| ResourceError::SourceUnknown { source_id: id.clone() })?;
        if !entry.source().is_enabled() {
            return Err(ResourceError::SourceDisabled { source_id: id });
        }
        match source_id {
            "docs.here" => Ok(self.1.clone()),
            _ => Err(ResourceError::SourceUnreadable { source_id: id }),
        }
    }
}

fn value(json: &Json) -> Value {
    Value::parse_json(json.to_string()).unwrap()
}

fn object(json: &Json) -> Object {
    value(json).as_object().cloned().unwrap()
}

fn to_json(object: &Object) -> Json {
    serde_json::from_str(&Value::Object(object.clone()).to_json()).unwrap()
}

impl Server {
    fn on(store: Arc<dyn Store>) -> Self {
        Self::of(store, Process::alone().unwrap())
    }

    fn of(store: Arc<dyn Store>, process: Process) -> Self {
        let registry = Arc::new(SourceRegistry::new());
        for source in builtin_sources(|builtin| builtin) {
            registry.add_builtin(source).unwrap();
        }
        for id in ["docs.here", "tools.here"] {
            registry.add(CapabilitySource::new(SourceId::parse(id).unwrap(), SourceKind::Connection)).unwrap();
        }
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("letters.txt"), "abcdefghijklmnopqrstuvwxyz").unwrap();
        fs::write(root.path().join("short.txt"), "ab").unwrap();
        let reader = Arc::new(FileReader::open(root.path()).unwrap());
        let app = Application::with_clock(store, registry, process, Arc::new(TestClock::default()));
        Self { app, reader, _root: root }
    }

    fn new() -> Self {
        Self::on(Arc::new(MemoryStore::new()))
    }

    fn save(&self, id: &str, plan: &Json) -> Result<Object, ApiError> {
        self.app.create_artifact_from_plan(ArtifactDraft {
            artifact_id: id.into(),
            version: 1,
            title: "Title".into(),
            kind: ArtifactKind::Workflow,
            description: None,
            plan: object(plan),
            outcomes: vec!["ok".into()],
            required_capabilities: Vec::new(),
            source_bindings: Vec::new(),
            created_from_catalog_version: Value::Null,
            observed_at_epoch_ms: None,
        })
    }

    fn deploy(&self, id: &str, artifact: &str, bindings: &Json) {
        let document = json!({"id": id, "artifact_id": artifact, "artifact_version": 1, "bindings": bindings});
        self.app.save_deployment(&value(&document)).unwrap();
    }

    fn platform(&self, prepared: &Prepared<Builtin>) -> SourceBindingPlatformContext {
        let directory = Directory(Arc::clone(self.app.registry()), Arc::clone(&self.reader));
        SourceBindingPlatformContext::new(prepared.bindings.clone())
            .with_platform_sources(prepared.platform_sources.clone())
            .with_reader(Arc::new(ReaderRouter::new(directory)))
    }

    /// Drives a run to its stop and gives its result.
    fn drive(&self, driven: Driven<Builtin>, range: Option<TraceRange>) -> Json {
        let Driven { mut run, prepared, journal } = driven;
        let find = |child: Option<&str>, name: &str| -> Option<Handler> {
            let executable = match child {
                None => &prepared.root,
                Some(child) => &prepared.children.iter().find(|(known, _)| **known == *child)?.1,
            };
            match &executable.nodes.iter().find(|(known, _)| **known == *name)?.1 {
                Builtin::Node(handler) => Some(handler.clone()),
                Builtin::Reducer(_) => None,
            }
        };
        let platform = self.platform(&prepared);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let platform: Option<&dyn PlatformContext> = Some(&platform);
        runtime.block_on(drive(&mut run, &find, platform, &wf_api::clock::SystemClock, Some(&journal))).unwrap();
        to_json(&self.app.finish_run(&journal, &run, range).unwrap())
    }

    /// Runs a deployment and gives its result.
    fn run(&self, deployment: &str, input: &Json, range: Option<TraceRange>) -> Json {
        match self.app.begin_run(deployment, Ok(object(input))).unwrap() {
            Begun::Settled(result) => to_json(&result),
            Begun::Ready(driven) => self.drive(driven, range),
        }
    }
}

/// Reads a resource, and says whether it was cut.
fn reading_plan() -> Json {
    json!({
        "name": "reading",
        "input_schema": {"type": "object", "properties": {"ref": {"type": "object"}, "bound": {"type": "integer"}}},
        "state_schema": {"type": "object", "properties": {
            "text": {"type": ["string", "null"]}, "cut": {"type": "boolean"}, "note": {"type": "string"}
        }},
        "output_schema": {"type": "object", "properties": {"text": {"type": ["string", "null"]}, "note": {"type": "string"}}},
        "outcomes": ["ok"],
        "start": "read",
        "nodes": [
            {"type": "node", "id": "read", "node": "wf.source.read_resource",
             "input": [{"target": "ref", "path": "input.ref"}, {"target": "max_chars", "path": "input.bound"}],
             "output": [{"source": "text", "target": "state.text"}, {"source": "truncated", "target": "state.cut"}]},
            {"type": "condition", "id": "was_cut",
             "check": {"op": "eq", "left": {"path": "state.cut"}, "right": {"value": true}}},
            {"type": "node", "id": "note_cut", "node": "wf.std.constant",
             "input": [{"target": "value", "value": "cut"}], "output": [{"source": "value", "target": "state.note"}]},
            {"type": "node", "id": "note_whole", "node": "wf.std.constant",
             "input": [{"target": "value", "value": "whole"}], "output": [{"source": "value", "target": "state.note"}]}
        ],
        "edges": [
            {"from": "read", "outcome": "ok", "to": "was_cut"},
            {"from": "was_cut", "outcome": "true", "to": "note_cut"},
            {"from": "was_cut", "outcome": "false", "to": "note_whole"},
            {"from": "note_cut", "outcome": "ok", "to": "__end__"},
            {"from": "note_whole", "outcome": "ok", "to": "__end__"}
        ]
    })
}

fn reference(source: &str, uri: &str) -> Json {
    json!({"kind": "source_resource_ref", "logical_source": source, "uri": uri})
}

fn reading_server() -> Server {
    let server = Server::new();
    server.save("reading", &reading_plan()).unwrap();
    server.deploy("daily", "reading", &json!([{"logical_source": "docs", "concrete_source": "docs.here"}]));
    server
}

#[test]
fn a_plan_is_saved_deployed_validated_and_run_and_its_run_can_be_looked_at() {
    let root = tempfile::tempdir().unwrap();
    let server = Server::on(Arc::new(SqliteStore::open(root.path()).unwrap()));
    let saved = to_json(&server.save("reading", &reading_plan()).unwrap());
    assert_eq!(saved, json!({"artifact_id": "reading", "version": 1, "saved": true}));
    server.deploy("daily", "reading", &json!({"docs": "docs.here"}));
    let validated = to_json(&server.app.validate_deployment("daily", &[]).unwrap());
    assert_eq!((&validated["status"], &validated["diagnostics"]), (&json!("runnable"), &json!([])));
    let range = TraceRange::new(0, 2).unwrap();
    let result = server.run("daily", &json!({"ref": reference("docs", "letters.txt"), "bound": 5}), Some(range));
    assert_eq!(result["status"], "completed", "{result}");
    assert_eq!(result["outcome"], "ok");
    assert_eq!(result["output"], json!({"text": "abcde", "note": "cut"}));
    assert_eq!(result["trace_count"], 3);
    assert_eq!(result["trace_truncated"], true);
    assert_eq!(result["trace"][0]["node_id"], "read");
    assert_eq!(result["trace"][0]["state_changes"], json!({"state.text": "abcde", "state.cut": true}));
    assert_eq!(result["resume_readiness"], "not_applicable");

    let run_id = result["run_id"].as_str().unwrap();
    assert!(run_id.len() == 36 && run_id.starts_with("run_"), "{run_id}");
    // Another process finds the run in the file.
    let again = Server::on(Arc::new(SqliteStore::open(root.path()).unwrap()));
    let inspected = to_json(&again.app.inspect_run(run_id).unwrap());
    assert_eq!(inspected["output"], result["output"]);
    assert!(inspected.get("trace").is_none());
    let trace = to_json(&again.app.read_run_trace(run_id, TraceRange::new(1, 100).unwrap()).unwrap());
    let visited: Vec<&str> =
        trace["trace"].as_array().unwrap().iter().map(|entry| entry["node_id"].as_str().unwrap()).collect();
    assert_eq!(visited, ["was_cut", "note_cut"]);
    assert_eq!(
        (&trace["trace_start"], &trace["trace_truncated"], &trace["output"]),
        (&json!(1), &json!(false), &json!(null))
    );
    let listed = to_json(&again.app.list_runs(Some("completed"), None, 50).unwrap());
    assert_eq!((&listed["total"], &listed["runs"][0]["run_id"]), (&json!(1), &json!(run_id)));
}

#[test]
fn a_binding_for_the_reading_source_is_not_needed_and_an_unused_one_is_no_problem() {
    let server = reading_server();
    let artifact = to_json(&server.app.inspect_artifact("reading", 1).unwrap());
    let required: Vec<String> = artifact["required_capabilities"]
        .as_array()
        .unwrap()
        .iter()
        .map(|required| {
            format!(
                "{}.{}",
                required["ref"]["source"].as_str().unwrap(),
                required["ref"]["capability_key"].as_str().unwrap()
            )
        })
        .collect();
    assert!(required.contains(&"wf.source.read_resource".to_owned()), "{required:?}");
    server.deploy("bare", "reading", &json!([]));
    assert_eq!(to_json(&server.app.validate_deployment("bare", &[]).unwrap())["status"], "runnable");
}

#[test]
fn every_cause_of_a_failed_read_is_in_the_stored_run_with_code_type_and_trace() {
    let server = reading_server();
    server.deploy("elsewhere", "reading", &json!({"docs": "tools.here", "gone": "gone.here"}));
    for (deployment, source, uri, code, kind, message) in [
        ("daily", "mail", "a", "source.unbound", "UnboundSourceError", "unbound logical source 'mail'"),
        (
            "daily",
            "docs",
            "no.txt",
            "resource.missing",
            "ResourceMissingError",
            "unknown resource 'no.txt' for source 'docs.here'",
        ),
        (
            "daily",
            "docs",
            "../x",
            "resource.outside_root",
            "ResourceOutsideRootError",
            "resource '../x' lies outside the root of source 'docs.here'",
        ),
        (
            "elsewhere",
            "docs",
            "a",
            "source.unreadable",
            "SourceUnreadableError",
            "source 'tools.here' has no readable resources",
        ),
        ("elsewhere", "gone", "a", "source.unknown", "UnknownSourceError", "unknown source 'gone.here'"),
    ] {
        let range = TraceRange::new(0, 9).unwrap();
        let result = server.run(deployment, &json!({"ref": reference(source, uri), "bound": 5}), Some(range));
        assert_eq!(result["status"], "failed", "{result}");
        assert_eq!(result["error"], message);
        assert_eq!(result["failure"]["type"], kind);
        assert_eq!(result["failure"]["data"]["code"], code);
        assert_eq!((&result["failure"]["node_id"], &result["output"]), (&json!("read"), &json!({})));
        assert_eq!(result["trace"][0]["error"]["message"], message);
        let stored = to_json(&server.app.inspect_run(result["run_id"].as_str().unwrap()).unwrap());
        assert_eq!((&stored["status"], &stored["failure"]), (&json!("failed"), &result["failure"]));
    }
}

#[test]
fn d29_a_disabled_source_is_not_read() {
    let server = reading_server();
    server.app.registry().disable("docs.here").unwrap();
    let result = server.run("daily", &json!({"ref": reference("docs", "letters.txt"), "bound": 5}), None);
    assert_eq!(result["error"], "source 'docs.here' is disabled");
}

#[test]
fn d25_a_disabled_source_makes_a_deployment_unrunnable_and_stores_no_run() {
    let server = reading_server();
    server.app.registry().disable("wf.source").unwrap();
    let result = server.run("daily", &json!({}), None);
    assert_eq!((&result["status"], &result["run_id"]), (&json!("unrunnable"), &json!(null)));
    assert_eq!(result["diagnostics"][0]["code"], "source_disabled");
    assert_eq!(to_json(&server.app.list_runs(None, None, 50).unwrap())["total"], 0);
}

#[test]
fn an_invalid_input_is_a_failed_run_in_the_store() {
    let server = reading_server();
    let result = server.run("daily", &json!({"bound": "many"}), None);
    assert_eq!(result["status"], "failed");
    assert_eq!(result["error"], "workflow input['bound']: 'many' is not of type 'integer'");
    assert_eq!(result["failure"]["code"], "input.invalid");
}

#[test]
fn d19_a_version_keeps_its_content_and_saving_the_same_again_is_no_event() {
    let server = Server::new();
    server.save("reading", &reading_plan()).unwrap();
    server.save("reading", &reading_plan()).unwrap();
    let mut other = reading_plan();
    other["name"] = json!("other");
    let refused = server.save("reading", &other).unwrap_err();
    assert_eq!(refused.code(), "artifact_exists");
    assert_eq!(refused.hint().as_deref(), Some("save it under the next version"));
    let document = value(&to_json(&server.app.inspect_artifact("reading", 1).unwrap()));
    server.app.save_artifact(&document).unwrap();
    // The document without the requirements that were found says the same.
    let mut stated = document.as_object().cloned().unwrap();
    stated.insert("required_capabilities", Vec::<Value>::new());
    server.app.save_artifact(&stated.into()).unwrap();
    let events = to_json(&server.app.list_events(0, 100).unwrap());
    assert_eq!(events["total"], 1);
    assert_eq!(events["events"][0]["kind"], "workflow_artifact_saved");
    assert_eq!(events["events"][0]["capability_id"], "workflow.reading.v1");
    assert!(events["events"][0]["timestamp_epoch_ms"].is_number());
}

#[test]
fn d24_every_way_to_save_an_artifact_checks_its_plan() {
    let server = Server::new();
    let mut dangling = reading_plan();
    dangling["edges"][0]["to"] = json!("nowhere");
    let by_plan = server.save("reading", &dangling).unwrap_err();
    assert_eq!(by_plan.code(), "artifact.invalid_plan", "{by_plan}");
    assert!(by_plan.to_string().contains("nowhere"), "{by_plan}");
    let document = json!({"id": "reading", "version": 1, "title": "t", "outcomes": ["ok"], "plan": dangling,
        "input_schema": {"type": "object"}, "output_schema": {"type": "object"}});
    let by_document = server.app.save_artifact(&value(&document)).unwrap_err();
    assert_eq!(by_document.code(), "artifact.invalid_plan");
    let bad = server.app.save_artifact(&value(&json!({"id": "x"}))).unwrap_err();
    assert_eq!(bad.code(), "document.invalid");
}

#[test]
fn an_artifact_that_is_deployed_is_not_deleted() {
    let server = reading_server();
    let blocked = to_json(&server.app.delete_artifact("reading", 1).unwrap());
    assert_eq!(
        blocked,
        json!({"artifact_id": "reading", "version": 1, "deleted": false, "blocked_by_deployments": ["daily"]})
    );
    server.app.delete_deployment("daily").unwrap();
    let deleted = to_json(&server.app.delete_artifact("reading", 1).unwrap());
    assert_eq!(deleted["deleted"], true);
}

/// Asks a person, then notes the answer.
fn asking_plan() -> Json {
    json!({
        "name": "asking",
        "input_schema": {"type": "object"},
        "state_schema": {"type": "object", "properties": {"answer": {"type": "string"}, "note": {"type": "string"}}},
        "output_schema": {"type": "object", "properties": {"note": {"type": "string"}}},
        "outcomes": ["ok"],
        "start": "ask",
        "nodes": [
            {"type": "interrupt", "id": "ask", "kind": "approval",
             "request": [{"target": "question", "value": "sure?"}],
             "resume": [{"source": "answer", "target": "state.answer"}],
             "outcomes": ["submitted"],
             "resume_schema": {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}},
            {"type": "node", "id": "note", "node": "wf.std.constant",
             "input": [{"target": "value", "path": "state.answer"}],
             "output": [{"source": "value", "target": "state.note"}]}
        ],
        "edges": [
            {"from": "ask", "outcome": "submitted", "to": "note"},
            {"from": "note", "outcome": "ok", "to": "__end__"}
        ]
    })
}

#[test]
fn an_interrupted_run_waits_in_the_store_and_goes_on_in_another_process() {
    let root = tempfile::tempdir().unwrap();
    let first = Server::on(Arc::new(SqliteStore::open(root.path()).unwrap()));
    first.save("asking", &asking_plan()).unwrap();
    first.deploy("ask", "asking", &json!([]));
    let result = first.run("ask", &json!({}), None);
    assert_eq!((&result["status"], &result["resume_readiness"]), (&json!("interrupted"), &json!("ready")));
    assert_eq!(result["interrupt"]["payload"], json!({"question": "sure?"}));
    assert_eq!(result["next_actions"]["recommended_next_tool"], "wf.workflow.resume_run");
    let run_id = result["run_id"].as_str().unwrap().to_owned();
    // The deployment is gone by then; the run has its own copy.
    first.app.delete_deployment("ask").unwrap();
    drop(first);

    let second = Server::on(Arc::new(SqliteStore::open(root.path()).unwrap()));
    let answer = |answer: &Json| second.app.begin_resume(&run_id, None, "submitted", object(answer));
    let bad = answer(&json!({"answer": 1})).unwrap_err();
    assert_eq!(bad.code(), "interrupt.resume_invalid");
    let Begun::Ready(driven) = answer(&json!({"answer": "yes"})).unwrap() else { panic!("it is ready") };
    let taken = answer(&json!({"answer": "no"})).unwrap_err();
    assert_eq!(taken.to_string(), format!("workflow run '{run_id}' is not interrupted"));
    let done = second.drive(driven, None);
    assert_eq!((&done["status"], &done["output"]), (&json!("completed"), &json!({"note": "yes"})));
    let again = answer(&json!({"answer": "yes"})).unwrap_err();
    assert_eq!(again.to_string(), format!("workflow run '{run_id}' is not interrupted"));
}

#[test]
fn a_run_whose_sources_are_gone_is_blocked_and_can_go_on_once_they_are_back() {
    let server = Server::new();
    server.save("asking", &asking_plan()).unwrap();
    server.deploy("ask", "asking", &json!([]));
    let run_id = server.run("ask", &json!({}), None)["run_id"].as_str().unwrap().to_owned();
    server.app.registry().disable("wf.std").unwrap();
    let answer = || server.app.begin_resume(&run_id, None, "submitted", object(&json!({"answer": "yes"}))).unwrap();
    let Begun::Settled(blocked) = answer() else { panic!("it is blocked") };
    let blocked = to_json(&blocked);
    assert_eq!((&blocked["status"], &blocked["resume_readiness"]), (&json!("interrupted"), &json!("blocked")));
    assert_eq!(blocked["diagnostics"][0]["code"], "source_disabled");
    assert_eq!(to_json(&server.app.inspect_run(&run_id).unwrap())["resume_readiness"], "blocked");
    server.app.registry().enable("wf.std").unwrap();
    assert!(matches!(answer(), Begun::Ready(_)));
}

#[test]
fn a_failed_run_is_retried_from_where_it_stands() {
    let server = reading_server();
    let failed = server.run("daily", &json!({"ref": reference("docs", "late.txt"), "bound": 5}), None);
    let run_id = failed["run_id"].as_str().unwrap();
    fs::write(server.reader.root().join("late.txt"), "late").unwrap();
    let Begun::Ready(driven) = server.app.begin_retry(run_id).unwrap() else { panic!("it is ready") };
    let done = server.drive(driven, None);
    assert_eq!((&done["status"], &done["output"]["text"]), (&json!("completed"), &json!("late")));
    let again = server.app.begin_retry(run_id).unwrap_err();
    assert_eq!(again.to_string(), format!("workflow run '{run_id}' has not failed"));
}

#[test]
fn a_run_that_a_dead_process_left_goes_on_where_its_journal_ends() {
    let root = tempfile::tempdir().unwrap();
    let open = || Arc::new(SqliteStore::open(root.path()).unwrap());
    let among = || Process::among(&root.path().join("processes")).unwrap();
    let first = Server::of(open(), among());
    first.save("asking", &asking_plan()).unwrap();
    first.deploy("ask", "asking", &json!([]));
    let Begun::Ready(left) = first.app.begin_run("ask", Ok(Object::new())).unwrap() else { panic!("it is ready") };
    let run_id = Arc::clone(left.journal.run_id());
    let second = Server::of(open(), among());
    assert!(first.app.abandoned_runs().unwrap().is_empty(), "its own process drives it");
    assert!(second.app.abandoned_runs().unwrap().is_empty(), "a process that lives drives it");
    assert!(second.app.begin_recovery(&run_id).unwrap().is_none());
    let Driven { run, journal, .. } = left;
    drop(first);

    // The journal keeps the process alive, as a driver would that is stuck; its end is what counts.
    assert!(second.app.abandoned_runs().unwrap().is_empty());
    let stuck = Arc::clone(&journal);
    drop((run, journal));
    assert!(second.app.abandoned_runs().unwrap().is_empty());
    drop(stuck);
    assert_eq!(second.app.abandoned_runs().unwrap(), [Arc::clone(&run_id)]);
    let Some(Begun::Ready(driven)) = second.app.begin_recovery(&run_id).unwrap() else { panic!("it is ready") };
    let stopped = second.drive(driven, None);
    assert_eq!(stopped["status"], "interrupted");
    assert!(second.app.abandoned_runs().unwrap().is_empty(), "it waits for a person");
}

#[test]
fn a_driver_whose_run_was_taken_over_is_fenced_off() {
    let root = tempfile::tempdir().unwrap();
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(root.path()).unwrap());
    let server = Server::on(Arc::clone(&store));
    server.save("asking", &asking_plan()).unwrap();
    server.deploy("ask", "asking", &json!([]));
    let Begun::Ready(slow) = server.app.begin_run("ask", Ok(Object::new())).unwrap() else { panic!("it is ready") };
    let run_id = Arc::clone(slow.journal.run_id());
    store.take_lease(&run_id, "faster", u64::MAX >> 2, u64::MAX >> 1).unwrap();
    slow.journal.note(&wf_core::run::Event::Tick { now: 1 });
    assert_eq!(slow.journal.commit().unwrap_err().code(), "run.lease_lost");
    assert_eq!(store.journal_length(&run_id).unwrap(), 1, "nothing of it was written");
}

#[test]
fn a_run_that_cannot_be_read_is_put_aside_as_failed() {
    let root = tempfile::tempdir().unwrap();
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(root.path()).unwrap());
    let server = Server::on(Arc::clone(&store));
    server.save("asking", &asking_plan()).unwrap();
    server.deploy("ask", "asking", &json!([]));
    let Begun::Ready(left) = server.app.begin_run("ask", Ok(Object::new())).unwrap() else { panic!("it is ready") };
    let run_id = Arc::clone(left.journal.run_id());
    left.journal.give_back().unwrap();
    drop(left);
    let file = rusqlite::Connection::open(root.path().join(SqliteStore::FILE_NAME)).unwrap();
    file.execute("UPDATE journal SET body = replace(body, 'start', 'stxrt')", []).unwrap();
    let damaged = server.app.begin_recovery(&run_id).unwrap_err();
    assert_eq!(damaged.code(), "store.record_damaged");
    let put_aside = to_json(&server.app.inspect_run(&run_id).unwrap());
    assert_eq!(
        (&put_aside["status"], &put_aside["failure"]["code"]),
        (&json!("failed"), &json!("store.record_damaged"))
    );
    assert!(server.app.abandoned_runs().unwrap().is_empty());
}

#[test]
fn a_waiting_run_can_be_cancelled_and_a_finished_one_not() {
    let server = Server::new();
    server.save("asking", &asking_plan()).unwrap();
    server.deploy("ask", "asking", &json!([]));
    let run_id = server.run("ask", &json!({}), None)["run_id"].as_str().unwrap().to_owned();
    let cancelled = to_json(&server.app.cancel_run(&run_id, "not needed").unwrap());
    assert_eq!((&cancelled["status"], &cancelled["error"]), (&json!("cancelled"), &json!("not needed")));
    assert!(server.app.cancel_run(&run_id, "again").is_err());
}

#[test]
fn pages_and_ranges_that_are_none_say_so() {
    let server = Server::new();
    for (error, message) in [
        (server.app.list_runs(None, None, 0).unwrap_err(), "limit must be between 1 and 100"),
        (server.app.list_runs(None, None, 101).unwrap_err(), "limit must be between 1 and 100"),
        (server.app.list_runs(None, Some("-1"), 5).unwrap_err(), "cursor must be a non-negative integer offset"),
        (server.app.list_runs(None, Some("x"), 5).unwrap_err(), "cursor must be a non-negative integer offset"),
        (TraceRange::new(-1, 5).unwrap_err(), "trace_range.start must be >= 0"),
        (TraceRange::new(0, 0).unwrap_err(), "trace_range.limit must be > 0"),
        (server.app.inspect_run("zzz").unwrap_err(), "unknown workflow run 'zzz'"),
        (server.app.begin_run("zzz", Ok(Object::new())).unwrap_err(), "unknown workflow deployment 'zzz'"),
    ] {
        assert_eq!(error.to_string(), message);
    }
    let unknown = server.app.list_runs(Some("odd"), None, 5).unwrap_err();
    assert!(unknown.to_string().starts_with("status must be one of: interrupted, completed, failed"));
    server.deploy("early", "absent", &json!([]));
    let missing = server.app.begin_run("early", Ok(Object::new())).unwrap_err();
    assert_eq!(missing.to_string(), "unknown workflow artifact absent@1");
    let told = to_json(&server.app.validate_deployment("early", &[]).unwrap());
    assert_eq!(told["diagnostics"][0]["code"], "artifact_missing");
}

#[test]
fn capabilities_are_listed_inspected_and_called() {
    let server = reading_server();
    let listed = to_json(&server.app.list_capabilities(Some("READ_RES"), None, None, 50).unwrap());
    assert_eq!((&listed["total"], &listed["capabilities"][0]["name"]), (&json!(1), &json!("wf.source.read_resource")));
    assert_eq!(listed["capabilities"][0]["input_fields"], json!(["max_blob_bytes", "max_chars", "offset", "ref"]));
    let page = to_json(&server.app.list_capabilities(None, Some("wf.std"), None, 3).unwrap());
    assert_eq!((&page["total"], &page["next_cursor"]), (&json!(20), &json!("3")));
    let detail = to_json(&server.app.inspect_capability("wf.std.truthy").unwrap());
    assert_eq!(detail["outcomes"], json!(["truthy", "falsey"]));
    let unknown = server.app.inspect_capability("wf.std.trothy").unwrap_err();
    assert_eq!(unknown.to_string(), "unknown workflow capability 'wf.std.trothy'");
    assert!(unknown.hint().unwrap().contains("wf.std.truthy"));
}
