//! The control plane: each operation defined once, and those on sources executed.

#![expect(clippy::disallowed_types, reason = "a subscriber shares what it heard")]

use std::sync::{Arc, Mutex};

use wf_core::document::Document;
use wf_core::value::{Object, Value};
use wf_platform::admin::{
    AdminPermission, SOURCE_OPERATIONS, SourcePolicyRecord, build_admin_source, run_source_operation,
};
use wf_platform::inventory::SourcePage;
use wf_platform::projection::{self, AdminExposure, Surface};
use wf_platform::registry::{Change, SourceRegistry};
use wf_platform::source::{SourceOverrides, SourceVisibility};

use crate::support::{Secret, object, source};

fn registry() -> SourceRegistry<Secret> {
    let registry = SourceRegistry::new();
    let operations = SOURCE_OPERATIONS.into_iter().map(|operation| (operation, Some(Secret("operation handle"))));
    registry.add_builtin(build_admin_source(operations)).expect("the platform may");
    registry.add(source("drive.personal")).expect("a source");
    registry
}

fn run(registry: &SourceRegistry<Secret>, name: &str, arguments: &str) -> Result<String, &'static str> {
    run_source_operation(registry, name, &Value::parse_json(arguments).expect("JSON"))
        .map(|result| result.to_json())
        .map_err(|failure| failure.code())
}

#[test]
fn d26_the_control_plane_lists_exactly_the_operations_that_exist() {
    let registry = registry();
    let snapshot = registry.snapshot();
    let source = snapshot.get("wf.admin").expect("known").source();
    let names: Vec<&str> = source.capabilities().tools.iter().map(|(name, _)| name.as_ref()).collect();
    let defined: Vec<String> =
        SOURCE_OPERATIONS.iter().map(|operation| format!("wf.admin.{}", operation.name)).collect();
    assert_eq!(names, defined);
    for operation in SOURCE_OPERATIONS {
        let outcome = run(&registry, operation.name, r#"{"source_id": "nobody", "overrides": {}}"#);
        assert_ne!(outcome, Err("admin.unknown_operation"), "{} has no handler", operation.name);
    }
    assert_eq!(run(&registry, "no_such_thing", "{}"), Err("admin.unknown_operation"));
}

#[test]
fn d26_the_control_plane_is_for_operators_only() {
    let registry = registry();
    let snapshot = registry.snapshot();
    let source = snapshot.get("wf.admin").expect("known").source();
    assert_eq!(source.visibility(), SourceVisibility::default());
    assert!(source.permissions().mutates_config && !source.permissions().mutates_auth);
    let shown =
        |surface| projection::tools(&snapshot, surface).filter(|(name, _)| name.starts_with("wf.admin.")).count();
    assert_eq!(shown(Surface::Client(AdminExposure::Hidden)), 0);
    assert_eq!(shown(Surface::Client(AdminExposure::Shown)), SOURCE_OPERATIONS.len());
    let mutating: Vec<&str> = SOURCE_OPERATIONS
        .iter()
        .filter(|operation| operation.permission == AdminPermission::MutatesConfig)
        .map(|operation| operation.name)
        .collect();
    assert_eq!(mutating, ["enable_source", "disable_source", "set_source_policy"]);
}

#[test]
fn every_operation_shows_schemas_that_its_arguments_and_results_meet() {
    for operation in SOURCE_OPERATIONS {
        let contract = operation.contract();
        assert_eq!(contract.input_schema.expect("a schema").get("additionalProperties"), Some(&Value::Bool(false)));
        assert_eq!(contract.output_schema.expect("a schema").get("type"), Some(&Value::from("object")));
        assert!(contract.title.is_some() && contract.description.is_some());
        assert_eq!(contract.meta.get("permission"), Some(&Value::from(operation.permission.as_str())));
    }
}

#[test]
fn sources_are_listed_and_inspected_with_defaults_and_bounds() {
    let registry = registry();
    let page = run_source_operation(&registry, "list_sources", &Value::Object(Object::new())).expect("a page");
    let page = SourcePage::parse(&page).expect("a page");
    assert_eq!((page.sources.len(), page.total), (2, 2));
    assert!(
        run(&registry, "inspect_source", r#"{"source_id": "drive.personal"}"#).expect("known").contains("capabilities")
    );
    assert_eq!(run(&registry, "list_sources", r#"{"limit": 0}"#), Err("page.limit_out_of_range"));
    assert_eq!(run(&registry, "list_sources", r#"{"limit": 101}"#), Err("page.limit_out_of_range"));
    assert_eq!(run(&registry, "list_sources", r#"{"cursor": "x"}"#), Err("page.foreign_cursor"));
    assert_eq!(run(&registry, "list_sources", r#"{"lmit": 1}"#), Err("document.unknown_field"));
    assert_eq!(run(&registry, "inspect_source", r#"{"source_id": "drive.personel"}"#), Err("source.unknown"));
    assert_eq!(run(&registry, "inspect_source", "[]"), Err("document.type"));
}

#[test]
fn d26_enable_and_disable_work_and_say_whether_anything_changed() {
    let registry = registry();
    let drive = r#"{"source_id": "drive.personal"}"#;
    let switched =
        |enabled, changed| Ok(format!(r#"{{"source_id":"drive.personal","enabled":{enabled},"changed":{changed}}}"#));
    assert_eq!(run(&registry, "disable_source", drive), switched(false, true));
    assert_eq!(run(&registry, "disable_source", drive), switched(false, false));
    assert!(!registry.snapshot().require("drive.personal").expect("known").source().is_enabled());
    assert_eq!(run(&registry, "enable_source", drive), switched(true, true));
    assert_eq!(run(&registry, "disable_source", r#"{"source_id": "wf.admin"}"#), Err("source.cannot_disable"));
    assert_eq!(run(&registry, "enable_source", r#"{"source_id": "nobody"}"#), Err("source.unknown"));
}

#[test]
fn a_policy_is_set_as_a_whole_and_read_back() {
    let registry = registry();
    let set = r#"{"source_id": "drive.personal", "overrides": {"allow": ["read_*"], "notes": "asked Ann"}}"#;
    let set = run(&registry, "set_source_policy", set).expect("known");
    let read = run(&registry, "get_source_policy", r#"{"source_id": "drive.personal"}"#).expect("known");
    assert_eq!(set, read);
    let record = SourcePolicyRecord::parse(&Value::parse_json(&read).expect("JSON")).expect("a record");
    assert!(record.overrides.allow.matches("read_file"));
    assert_eq!(run(&registry, "set_source_policy", r#"{"source_id": "drive.personal"}"#), Err("document.missing"));
    assert_eq!(
        run(&registry, "set_source_policy", r#"{"source_id": "nobody", "overrides": {}}"#),
        Err("source.unknown")
    );
}

#[test]
fn the_tools_that_clients_see_are_searched_and_paged() {
    let registry = registry();
    let total = |arguments: &str| {
        let page = run(&registry, "list_client_tools", arguments).expect("a page");
        object(&page).get("total").and_then(Value::as_i64)
    };
    assert_eq!(total("{}"), Some(1));
    assert_eq!(total(r#"{"admin_exposure": true}"#), Some(8));
    assert_eq!(total(r#"{"admin_exposure": true, "query": "ENABLE A SOURCE"}"#), Some(1));
    let page =
        run(&registry, "list_client_tools", r#"{"admin_exposure": true, "limit": 3, "cursor": "6"}"#).expect("a page");
    assert!(page.contains(r#""next_cursor":null"#) && page.contains("wf.admin.set_source_policy"), "{page}");
}

#[test]
fn a_change_tells_who_did_what_with_before_and_after() {
    let registry = registry();
    let events = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&events);
    registry.subscribe(Arc::new(move |change: &Change<Secret>| {
        let event = (change.event_kind(), Value::Object(change.event_payload(Some("ann"))));
        sink.lock().expect("no panic").push(event);
    }));
    registry.disable("drive.personal").expect("known");
    registry.remove("drive.personal").expect("known");
    let events = events.lock().expect("no panic");
    assert_eq!((events[0].0.as_str(), events[1].0.as_str()), ("source_disabled", "source_removed"));
    let visible = r#"{"planner":true,"client":true,"admin_dashboard":true}"#;
    let before = r#"{"enabled":null,"visibility":null,"allow":[],"deny":[],"notes":null}"#;
    let after = r#"{"enabled":false,"visibility":null,"allow":[],"deny":[],"notes":null}"#;
    assert_eq!(
        events[0].1.to_json(),
        format!(
            concat!(
                r#"{{"source_id":"drive.personal","change":"disabled","actor":"ann","revision":3,"#,
                r#""before":{{"present":true,"enabled":true,"visibility":{visible},"overrides":{before}}},"#,
                r#""after":{{"present":true,"enabled":false,"visibility":{visible},"overrides":{after}}}}}"#
            ),
            visible = visible,
            before = before,
            after = after
        )
    );
    assert!(events[1].1.to_json().contains(r#""after":{"present":false,"enabled":null"#));
    let kept = SourceOverrides::parse(&Value::parse_json(after).expect("JSON")).expect("overrides");
    assert_eq!(*registry.snapshot().overrides("drive.personal"), kept, "what was decided stays");
}
