//! Smoke tests over state schemas built by hand.

use std::sync::Arc;

use super::*;
use crate::document::{ReducerRef, SchemaRef, StateField, StateSchema};
use crate::path::StatePath;
use crate::reducer::NoCustomReducers;
use crate::refs::{CapabilityRef, SourceRef};
use crate::value::{Object, Value};

fn json(text: &str) -> Value {
    Value::parse_json(text).expect("test data is JSON")
}

fn object(text: &str) -> Object {
    json(text).as_object().expect("test data is an object").clone()
}

fn path(dotted: &str) -> StatePath {
    StatePath(dotted.split('.').map(Arc::from).collect())
}

fn collect(properties: &Object, prefix: &[Arc<str>], fields: &mut Vec<StateField>) {
    for (key, schema) in properties {
        let Some(schema) = schema.as_object() else { continue };
        let mut parts = prefix.to_vec();
        parts.push(key.clone());
        let name = schema.get("reducer").and_then(Value::as_str).unwrap_or("wf.std.replace");
        let (source, key) = name.rsplit_once('.').expect("a qualified name");
        let capability =
            CapabilityRef { source: SourceRef(source.split('.').map(Arc::from).collect()), name: Arc::from(key) };
        fields.push(StateField {
            path: StatePath(parts.clone().into()),
            schema: SchemaRef(schema.clone()),
            reducer: ReducerRef { capability, config: Object::new() },
            trace: true,
            default: schema.get("default").cloned(),
        });
        if let Some(inner) = schema.get("properties").and_then(Value::as_object) {
            collect(inner, &parts, fields);
        }
    }
}

fn layout(properties: &str) -> StateLayout {
    let properties = object(properties);
    let mut fields = Vec::new();
    collect(&properties, &[], &mut fields);
    let schema: Object =
        [("type", Value::from("object")), ("properties", Value::Object(properties))].into_iter().collect();
    StateLayout::compile(&StateSchema { schema, fields }, &NoCustomReducers).expect("test schema compiles")
}

fn write(layout: &StateLayout, state: &mut Object, writes: &[(&str, &str)]) -> Result<(), StateError> {
    let writes = writes
        .iter()
        .map(|(to, value)| StateWrite { target: layout.target(&path(to)), incoming: json(value) })
        .collect();
    match layout.stage(state, writes)? {
        Staged::Ready(patch) => patch.apply(state),
        Staged::NeedsReduce(_) => panic!("no custom reducers here"),
    }
}

#[test]
fn a_write_is_merged_checked_and_applied() {
    let layout = layout(
        r#"{"count": {"type": "integer", "reducer": "wf.std.add"},
            "log": {"type": "array", "items": {"type": "string"}, "reducer": "wf.std.append"},
            "person": {"type": "object", "properties": {"name": {"type": "string"}}, "additionalProperties": false}}"#,
    );
    let mut state = layout.initial_state(&object(r#"{"count": 1}"#)).expect("valid");
    write(&layout, &mut state, &[("count", "2"), ("log", r#""a""#), ("person.name", r#""x""#)]).expect("valid");
    write(&layout, &mut state, &[("log", r#"["b", "c"]"#)]).expect("valid");
    assert_eq!(Value::Object(state.clone()), json(r#"{"count": 3, "log": ["a", "b", "c"], "person": {"name": "x"}}"#));
    let before = state.clone();
    let error = write(&layout, &mut state, &[("count", "1"), ("person.name", "7")]).expect_err("invalid");
    assert_eq!(error.to_string(), "state write state.person.name: 7 is not of type 'string'");
    let error = write(&layout, &mut state, &[("person.age", "7")]).expect_err("invalid");
    assert_eq!(
        error.to_string(),
        "state write state.person: Additional properties are not allowed ('age' was unexpected)"
    );
    let error = write(&layout, &mut state, &[("count.x", "7")]).expect_err("no object");
    assert_eq!(error.to_string(), "cannot descend into non-object state field 'count'");
    let error = write(&layout, &mut state, &[("log", "7")]).expect_err("invalid");
    assert_eq!(error.to_string(), "state write state.log[3]: 7 is not of type 'string'");
    assert_eq!(state, before);
}

#[test]
fn siblings_merge_in_order_and_conflict_where_they_must() {
    let layout = layout(
        r#"{"n": {"type": "integer", "reducer": "wf.std.add"}, "log": {"reducer": "wf.std.append"}, "one": {}, "o": {"type": "object"}}"#,
    );
    let base = object(r#"{"n": 100, "log": ["B"]}"#);
    let merge = |writes: &[(u32, &str, &str)]| {
        let writes = writes.iter().map(|(sibling, to, value)| SiblingWrite {
            sibling: *sibling,
            target: layout.target(&path(to)),
            incoming: json(value),
        });
        match layout.merge_siblings(&base, writes)? {
            Staged::Ready(patch) => {
                let mut state = base.clone();
                patch.apply(&mut state)?;
                Ok(Value::Object(state))
            }
            Staged::NeedsReduce(_) => panic!("no custom reducers here"),
        }
    };
    let merged = merge(&[(0, "n", "1"), (0, "log", "1"), (1, "n", "2"), (1, "log", "[2, 3]")]).expect("mergeable");
    assert_eq!(merged, json(r#"{"n": 103, "log": ["B", 1, 2, 3]}"#));
    let error: StateError = merge(&[(0, "one", "1"), (1, "one", "2")]).expect_err("exclusive");
    assert_eq!(error.to_string(), "multiple sibling writes to 'state.one' require a mergeable reducer");
    for (first, second) in [("o", "o.a.b"), ("o.a.b", "o")] {
        let error = merge(&[(0, first, "{}"), (1, second, "{}")]).expect_err("overlap");
        assert_eq!(
            error.to_string(),
            format!(
                "overlapping sibling writes are not supported at a foreach barrier: 'state.{first}' and 'state.{second}'"
            )
        );
    }
    let own = merge(&[(0, "o", r#"{"a": 1}"#), (0, "o.b", "2"), (0, "o", r#"{"c": 3}"#), (0, "o.d", "4")]);
    assert_eq!(own.expect("one sibling"), json(r#"{"n": 100, "log": ["B"], "o": {"c": 3, "d": 4}}"#));
}

#[test]
fn d6_defaults_and_input_are_checked_before_anything_runs() {
    let layout = layout(r#"{"a": {"type": "integer", "default": 1}, "b": {"type": "string"}}"#);
    assert_eq!(Value::Object(layout.initial_state(&Object::new()).expect("valid")), json(r#"{"a": 1}"#));
    let error = layout.initial_state(&object(r#"{"b": 2}"#)).expect_err("invalid");
    assert_eq!(error.to_string(), "initial state state.b: 2 is not of type 'string'");
}
