//! Runs every file of tests/cases; `tests/cases/README.md` describes the format.

#![expect(clippy::disallowed_methods, reason = "the cases are files; the walls are for the engine, not for its tests")]

mod support;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use support::{Driver, Reducers, Replies, cases_folder, children_of, compile_case, options};
use wf_core::document::{Document, Workflow};
use wf_core::plan::{Plan, PlanError};
use wf_core::run::{Event, FRAME_TABLE, InterruptView, RUN_TABLE, Run, RunError, RunFailure, TraceEntry, drawing};
use wf_core::validation::{Checks, Severity, validate};
use wf_core::value::{Object, Value};

#[test]
fn every_case_behaves_as_it_says() {
    let mut report = String::new();
    let mut failed = 0;
    let cases = all_cases();
    for (name, case) in &cases {
        let found = problems_of(case);
        if !found.is_empty() {
            failed += 1;
            let _ = writeln!(report, "{name}");
            for problem in found {
                let _ = writeln!(report, "    {problem}");
            }
        }
    }
    assert!(failed == 0, "{failed} of {} cases fail:\n{report}", cases.len());
    assert!(!cases.is_empty(), "there are no cases");
}

/// The cases of all files, by file name (and position, in a file with several).
fn all_cases() -> BTreeMap<String, Object> {
    let mut cases = BTreeMap::new();
    for entry in fs::read_dir(cases_folder()).expect("the folder of the cases can be read") {
        let path = entry.expect("the folder of the cases can be read").path();
        if path.extension().is_some_and(|extension| extension == "json") {
            read_file(&path, &mut cases);
        }
    }
    cases
}

fn read_file(path: &Path, cases: &mut BTreeMap<String, Object>) {
    let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
    let text = fs::read(path).expect("a case can be read");
    let file = Value::parse_json(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let file = file.as_object().expect("a case is an object").clone();
    if let Some(Value::List(list)) = file.get("cases") {
        for (position, case) in list.iter().enumerate() {
            let case = case.as_object().expect("a case is an object").clone();
            cases.insert(format!("{name}[{position}]"), case);
        }
    } else {
        cases.insert(name, file);
    }
}

/// What is not as a case says; empty when all is.
fn problems_of(case: &Object) -> Vec<String> {
    let expect = case.get("expect").and_then(Value::as_object).expect("a case expects something").clone();
    let mut problems = Vec::new();
    let document = Workflow::parse(case.get("workflow").expect("a case has a workflow"));
    if let Some(expected) = expect.get("problems") {
        match document {
            Ok(_) => problems.push("the document parses".to_owned()),
            Err(error) => {
                let found = error.problems.iter().map(|problem| entry(problem.code, &problem.path, &problem.message));
                compare_subset("problems", expected, &Value::List(found.collect()), &mut problems);
            }
        }
        return problems;
    }
    if let Err(error) = document {
        return vec![format!("the document does not parse: {error}")];
    }
    let compiled = compile_case(case);
    if let Some(expected) = expect.get("issues") {
        let found = issues_of(case, expected, compiled.as_ref().err());
        compare_subset("issues", expected, &Value::List(found.into()), &mut problems);
        return problems;
    }
    let (plan, reducers) = match compiled {
        Ok(compiled) => compiled,
        Err(error) => return vec![format!("no plan: {error}")],
    };
    let mut driver = driver_of(case, plan, reducers);
    driver.drive();
    let rejected = follow_script(&mut driver, case, &mut problems);
    compare(&driver, &expect, rejected.as_ref(), &mut problems);
    problems
}

fn driver_of(case: &Object, plan: Arc<Plan>, reducers: Reducers) -> Driver {
    let input = case.get("input").and_then(Value::as_object).cloned().unwrap_or_default();
    Driver::new(plan, input, options(case))
        .replies(Replies::parse(case.get("replies")))
        .reducers(reducers)
        .newest_first(case.get("order").and_then(Value::as_str) == Some("reversed"))
}

/// The cases that run, each driven to the end of its script.
fn runs(prepare: impl Fn(Driver) -> Driver) -> Vec<(String, Driver)> {
    let mut runs = Vec::new();
    for (name, case) in all_cases() {
        let expect = case.get("expect").and_then(Value::as_object).expect("a case expects something");
        if expect.get("problems").is_some() || expect.get("issues").is_some() {
            continue;
        }
        let (plan, reducers) = compile_case(&case).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut driver = prepare(driver_of(&case, plan, reducers));
        driver.drive();
        follow_script(&mut driver, &case, &mut Vec::new());
        runs.push((name, driver));
    }
    runs
}

/// What validation finds: all errors, and the warnings whose code is expected.
fn issues_of(case: &Object, expected: &Value, refused: Option<&PlanError>) -> Vec<Value> {
    let document = Workflow::parse(case.get("workflow").expect("a case has a workflow")).expect("the document parses");
    let children = children_of(case);
    let (_, reducers) = Reducers::parse(case.get("reducers"));
    let checks = Checks { reducers: Some(&reducers), subgraphs: case.get("subgraphs").map(|_| &children as _) };
    let report = validate(&document, &checks);
    let wanted = |code: &str| {
        let mut expected = expected.as_list().into_iter().flat_map(|list| list.iter());
        expected
            .any(|issue| issue.as_object().and_then(|issue| issue.get("code")).and_then(Value::as_str) == Some(code))
    };
    let shown = report.issues.iter().filter(|issue| issue.severity == Severity::Error || wanted(issue.code.as_str()));
    let found: Vec<Value> = shown.map(|issue| entry(issue.code.as_str(), &issue.path, &issue.message)).collect();
    if report.ok()
        && let Some(refused) = refused
    {
        let problems = refused.problems.iter().map(|problem| entry(&problem.code, &problem.path, &problem.message));
        return found.into_iter().chain(problems).collect();
    }
    found
}

fn entry(code: &str, path: &str, message: &str) -> Value {
    let entry: Object = [("code", code), ("path", path), ("message", message)].into_iter().collect();
    Value::Object(entry)
}

/// Sends the script's events; gives what the last one was refused with.
fn follow_script(driver: &mut Driver, case: &Object, problems: &mut Vec<String>) -> Option<RunError> {
    let mut rejected = None;
    for entry in case.get("script").and_then(Value::as_list).into_iter().flat_map(|script| script.iter()) {
        let entry = entry.as_object().expect("a script entry is an object");
        let before = fingerprint(&driver.run);
        rejected = driver.send(event_of(entry, driver.now)).err();
        if rejected.is_some() && fingerprint(&driver.run) != before {
            problems.push("a refused event changed the run".to_owned());
        }
        if entry.get("refused").is_some() && rejected.is_none() {
            problems.push("an event was not refused".to_owned());
        }
        driver.drive();
    }
    rejected
}

fn event_of(entry: &Object, now: u64) -> Event {
    if let Some(resume) = entry.get("resume").and_then(Value::as_object) {
        return Event::Resume {
            interrupt: resume.get("interrupt").and_then(Value::as_str).map(Into::into),
            outcome: resume.get("outcome").and_then(Value::as_str).unwrap_or("submitted").into(),
            payload: resume.get("payload").and_then(Value::as_object).cloned().unwrap_or_default(),
            now,
        };
    }
    if let Some(reason) = entry.get("cancel") {
        return Event::Cancel { reason: reason.as_str().unwrap_or_default().into(), now };
    }
    if let Some(passed) = entry.get("tick_ms").and_then(Value::as_i64) {
        return Event::Tick { now: now + u64::try_from(passed).expect("time passes forwards") };
    }
    assert!(entry.contains_key("retry"), "unknown script entry");
    Event::Retry { now }
}

/// Everything that can be read of a run.
fn fingerprint(run: &Run) -> String {
    let trace: Vec<TraceEntry> = run.trace().iter().collect();
    let frames: Vec<_> = run.frames().collect();
    format!("{:?} {:?} {:?} {trace:?} {frames:?} {:?}", run.status(), run.state(), run.error(), run.interrupt())
}

fn compare(driver: &Driver, expect: &Object, rejected: Option<&RunError>, problems: &mut Vec<String>) {
    let run = &driver.run;
    for (key, expected) in expect {
        match &**key {
            "status" => equal("status", expected, &run.status().as_str().into(), problems),
            "outcome" => equal("outcome", expected, &run.outcome().cloned().into(), problems),
            "output" => equal("output", expected, &run.output().clone().into(), problems),
            "state" => equal("state", expected, &run.state().clone().into(), problems),
            "calls" => equal("calls", expected, &i64::try_from(driver.calls).unwrap_or(-1).into(), problems),
            "trace" => {
                let entries = run.trace().iter().map(|entry| Value::Object(trace_value(&entry)));
                compare_trace(expected, &entries.collect::<Vec<_>>(), problems);
            }
            "error" => {
                let error = run.error().map_or(Value::Null, |error| error.to_value());
                compare_subset("error", expected, &error, problems);
            }
            "interrupt" => {
                let interrupt = run.interrupt().map_or(Value::Null, |interrupt| interrupt_value(&interrupt));
                compare_subset("interrupt", expected, &interrupt, problems);
            }
            "rejected" => match rejected {
                None => problems.push("the last event was accepted".to_owned()),
                Some(error) => {
                    let found = [("code", error.code().to_owned()), ("message", error.to_string())];
                    let found: Object = found.into_iter().collect();
                    compare_subset("rejected", expected, &found.into(), problems);
                }
            },
            other => problems.push(format!("unknown expectation '{other}'")),
        }
    }
    if let (None, Some(error)) = (expect.get("rejected"), rejected) {
        problems.push(format!("the last event was refused: {error}"));
    }
}

fn trace_value(entry: &TraceEntry) -> Object {
    let mut object = Object::new();
    object.insert("frame_id", entry.frame_id.clone());
    object.insert("node_id", entry.node_id.clone());
    object.insert("step_type", entry.step_type);
    object.insert("resolved_input", entry.resolved_input.clone());
    object.insert("outcome", entry.outcome.clone());
    object.insert("next_node_id", entry.next_node_id.clone());
    object.insert("output", entry.output.clone());
    object.insert("state_changes", entry.state_changes.clone());
    object.insert("meta", entry.meta.clone());
    object.insert("error", entry.error.as_ref().map(RunFailure::to_value));
    object
}

fn interrupt_value(view: &InterruptView) -> Value {
    let mut object = Object::new();
    object.insert("id", view.id.clone());
    object.insert("frame_id", view.frame_id.clone());
    object.insert("node_id", view.node_id.clone());
    object.insert("kind", view.kind.clone());
    object.insert("payload", view.payload.clone());
    object.insert("outcomes", view.outcomes.clone());
    object.insert("typed", view.typed);
    object.insert(
        "route",
        view.route.as_ref().map(|route| {
            let mut object = Object::new();
            object.insert("frame_id", route.frame_id.clone());
            object.insert("node_id", route.node_id.clone());
            object.insert("scope_id", route.scope_id.clone());
            object.insert("lineage_id", route.lineage_id.clone());
            object.insert("parent_frame_id", route.parent_frame_id.clone());
            object.insert("steps", route.steps.clone());
            object
        }),
    );
    Value::Object(object)
}

/// Equal as JSON with kinds: `1` and `1.0` differ here.
fn same(expected: &Value, found: &Value) -> bool {
    expected.canonical_json() == found.canonical_json()
}

fn equal(what: &str, expected: &Value, found: &Value, problems: &mut Vec<String>) {
    if !same(expected, found) {
        problems.push(format!("{what}: expected {}, got {}", expected.to_json(), found.to_json()));
    }
}

/// Objects need to have the expected keys, lists the same length.
fn compare_subset(what: &str, expected: &Value, found: &Value, problems: &mut Vec<String>) {
    if !contains(expected, found) {
        problems.push(format!("{what}: expected {}, got {}", expected.to_json(), found.to_json()));
    }
}

fn contains(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            expected.iter().all(|(key, value)| found.get(key).is_some_and(|found| same(value, found)))
        }
        (Value::List(expected), Value::List(found)) => {
            expected.len() == found.len() && expected.iter().zip(found.iter()).all(|(a, b)| contains(a, b))
        }
        _ => same(expected, found),
    }
}

fn compare_trace(expected: &Value, found: &[Value], problems: &mut Vec<String>) {
    let expected = expected.as_list().expect("a trace is a list");
    let short = |entry: &Value| -> Value {
        let entry = entry.as_object().expect("a trace entry is an object");
        let keys = ["frame_id", "node_id", "outcome"];
        Value::List(keys.iter().map(|key| entry.get(key).cloned().unwrap_or_default()).collect())
    };
    let fits = expected.len() == found.len()
        && expected.iter().zip(found).all(|(expected, found)| match expected {
            Value::List(_) => same(expected, &short(found)),
            _ => contains(expected, found),
        });
    if !fits {
        let found: Value = Value::List(
            found
                .iter()
                .map(|entry| {
                    if expected.iter().any(|entry| entry.as_object().is_some()) { entry.clone() } else { short(entry) }
                })
                .collect(),
        );
        problems.push(format!("trace: expected {}, got {}", Value::List(expected.clone()).to_json(), found.to_json()));
    }
}

#[test]
fn every_case_goes_the_same_way_through_a_snapshot_after_each_event() {
    let straight = runs(|driver| driver);
    let restored = runs(Driver::restoring);
    for ((name, straight), (_, restored)) in straight.iter().zip(&restored) {
        let (straight, restored) = (straight.run.snapshot(), restored.run.snapshot());
        assert_eq!(straight.to_json(), restored.to_json(), "{name}");
    }
}

#[test]
fn every_case_is_replayed_from_its_journal_byte_for_byte() {
    for (name, driver) in runs(|driver| driver) {
        let journal: Vec<Value> = driver.events.iter().map(Event::to_value).collect();
        let read = journal.iter().map(|entry| {
            let entry = Value::parse_json(entry.to_json()).expect("a journal is JSON");
            Event::from_value(&entry).unwrap_or_else(|error| panic!("{name}: {error}"))
        });
        let replayed =
            Run::replay(Arc::clone(driver.run.plan()), read).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(replayed.snapshot().to_json(), driver.run.snapshot().to_json(), "{name}");
    }
}

#[test]
fn every_arrow_of_the_machine_is_walked_by_some_case() {
    let runs = runs(|driver| driver);
    let run_arrows: Vec<_> = runs.iter().flat_map(|(_, driver)| driver.run.walked().run_arrows()).collect();
    let frame_arrows: Vec<_> = runs.iter().flat_map(|(_, driver)| driver.run.walked().frame_arrows()).collect();
    let missing: Vec<String> = RUN_TABLE
        .iter()
        .filter(|arrow| !run_arrows.contains(arrow))
        .map(|arrow| format!("run: {arrow:?}"))
        .chain(
            FRAME_TABLE.iter().filter(|arrow| !frame_arrows.contains(arrow)).map(|arrow| format!("frame: {arrow:?}")),
        )
        .collect();
    assert!(missing.is_empty(), "no case walks {missing:#?}");
}

#[test]
fn the_drawing_in_the_docs_is_the_one_the_tables_give() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/machine.md");
    let page = fs::read_to_string(&path).expect("docs/machine.md can be read");
    let drawing = drawing();
    assert!(page.contains(&drawing), "docs/machine.md should hold:\n{drawing}");
}
