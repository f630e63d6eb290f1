//! Every error code of the engine has a case, or a reason why a case cannot say it.

#![expect(clippy::disallowed_methods, reason = "the cases are files; the walls are for the engine, not for its tests")]

mod support;

use std::collections::BTreeSet;
use std::fs;

use support::cases_folder;
use wf_core::run::codes;
use wf_core::validation::IssueCode;
use wf_core::value::Value;

/// Codes that no case can bring about, each with the reason.
const ELSEWHERE: &[(&str, &str)] = &[
    ("edge.missing", "validation refuses a document with such a step"),
    ("gather.outside_fork", "validation refuses a document with such an edge"),
    ("run.deadlock", "a fault of the engine or of a snapshot"),
    ("run.too_large", "takes billions of frames"),
    ("machine.transition", "a fault of the engine or of a snapshot"),
    ("run.not_running", "a driver's mistake: the machine's own tests"),
    ("run.already_started", "a driver's mistake: the machine's own tests"),
    ("run.unknown_call", "a driver's mistake: the machine's own tests"),
    ("run.unknown_reduce", "a driver's mistake: the machine's own tests"),
    ("run.wrong_fold_count", "a driver's mistake: the machine's own tests"),
    ("snapshot.invalid", "persistence: the tests of snapshots"),
    ("snapshot.plan_changed", "persistence: the tests of snapshots"),
    ("event.invalid", "persistence: the tests of the journal"),
    ("journal.refused", "persistence: the tests of the journal"),
    ("empty_condition_args", "a document with such a condition does not parse"),
];

#[test]
fn every_code_has_a_case_or_a_reason() {
    let covered = codes_of_all_cases();
    let excused: BTreeSet<&str> = ELSEWHERE.iter().map(|(code, _)| *code).collect();
    let table = codes::TABLE.iter().map(|(code, _)| *code).chain(IssueCode::ALL.iter().map(|code| code.as_str()));
    let missing: Vec<&str> = table.clone().filter(|code| !covered.contains(*code) && !excused.contains(code)).collect();
    assert!(missing.is_empty(), "no case brings about {missing:#?}");
    let known: BTreeSet<&str> = table.collect();
    let stale: Vec<&&str> = excused.iter().filter(|code| covered.contains(**code) || !known.contains(*code)).collect();
    assert!(stale.is_empty(), "excused without need: {stale:#?}");
}

/// Every value under a key `code`, wherever a case has it.
fn codes_of_all_cases() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for entry in fs::read_dir(cases_folder()).expect("the folder of the cases can be read") {
        let path = entry.expect("the folder of the cases can be read").path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let text = fs::read(&path).expect("a case can be read");
            collect(&Value::parse_json(text).expect("a case is JSON"), &mut codes);
        }
    }
    codes
}

fn collect(value: &Value, codes: &mut BTreeSet<String>) {
    if let Some(object) = value.as_object() {
        codes.extend(object.get("code").and_then(Value::as_str).map(str::to_owned));
        object.iter().for_each(|(_, item)| collect(item, codes));
    } else if let Some(list) = value.as_list() {
        list.iter().for_each(|item| collect(item, codes));
    }
}
