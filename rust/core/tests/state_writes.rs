//! How a state starts, and how steps write to it.

use std::sync::Arc;

use wf_core::document::{Document, OutputBinding, ReducerSpec, StateSchema};
use wf_core::path::StatePath;
use wf_core::reducer::{NoCustomReducers, ReducerSet};
use wf_core::state::{Staged, StateError, StateLayout, StateWrite};
use wf_core::value::{Object, Value};

fn json(text: &str) -> Value {
    Value::parse_json(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn object(text: &str) -> Object {
    json(text).as_object().cloned().unwrap_or_else(|| panic!("no object: {text}"))
}

fn schema(text: &str) -> StateSchema {
    StateSchema::parse(&json(text)).unwrap_or_else(|error| panic!("{error}"))
}

fn layout(properties: &str) -> StateLayout {
    let schema = schema(&format!(r#"{{"properties": {properties}}}"#));
    StateLayout::compile(&schema, &NoCustomReducers).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn write(layout: &StateLayout, state: &mut Object, writes: &[(&str, &str)]) -> Result<(), StateError> {
    let writes = writes
        .iter()
        .map(|(to, value)| StateWrite {
            target: layout.target(&StatePath::parse(to).expect("a path")),
            incoming: json(value),
        })
        .collect::<Vec<_>>();
    match layout.stage(state, writes)? {
        Staged::Ready(patch) => patch.apply(state),
        Staged::NeedsReduce(_) => panic!("no custom reducers here"),
    }
}

const PERSON: &str = r#"{"count": {"type": "integer", "reducer": "wf.std.add"},
    "log": {"type": "array", "items": {"type": "string"}, "reducer": "wf.std.append"},
    "person": {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
               "required": ["name"], "additionalProperties": false}}"#;

#[test]
fn all_writes_of_a_step_are_merged_checked_and_applied_together() {
    let layout = layout(PERSON);
    let mut state = layout.initial_state(&object(r#"{"count": 1}"#)).expect("valid");
    write(&layout, &mut state, &[("state.count", "2"), ("state.log", r#""a""#), ("state.person.name", r#""x""#)])
        .expect("valid");
    write(&layout, &mut state, &[("state.log", r#"["b", "c"]"#), ("state.person.age", "7")]).expect("valid");
    assert_eq!(Value::Object(state).to_json(), r#"{"count":3,"log":["a","b","c"],"person":{"name":"x","age":7}}"#);
}

#[test]
fn a_failed_write_leaves_the_state_as_it_was() {
    let layout = layout(PERSON);
    let mut state = object(r#"{"count": 1, "log": ["a"], "person": {"name": "x"}}"#);
    let before = Value::Object(state.clone());
    let cases: &[(&[(&str, &str)], &str)] = &[
        (
            &[("state.count", "1"), ("state.person.name", "7")],
            "state write state.person.name: 7 is not of type 'string'",
        ),
        (
            &[("state.person.size", "7")],
            "state write state.person: Additional properties are not allowed ('size' was unexpected)",
        ),
        (&[("state.person", r#"{"age": 1}"#)], "state write state.person: 'name' is a required property"),
        // The deepest field speaks first.
        (&[("state.person", r#"{"age": "x"}"#)], "state write state.person.age: 'x' is not of type 'integer'"),
        (&[("state.person", "null")], "state write state.person: None is not of type 'object'"),
        (&[("state.count.x", "7")], "cannot descend into non-object state field 'count'"),
        (&[("state.log", "7")], "state write state.log[1]: 7 is not of type 'string'"),
        (&[("state.log", r#"["b", 7]"#)], "state write state.log[2]: 7 is not of type 'string'"),
        (&[("state.count", r#""x""#)], "unsupported operand type(s) for +: 'int' and 'str' at 'state.count'"),
        (&[("state.count", "0.5")], "state write state.count: 1.5 is not of type 'integer'"),
        (
            &[("state.log", r#""b""#), ("state.person.age", "null")],
            "state write state.person.age: None is not of type 'integer'",
        ),
    ];
    for (writes, expected) in cases {
        let error = write(&layout, &mut state, writes).expect_err("invalid");
        assert_eq!(error.to_string(), *expected);
        assert_eq!(Value::Object(state.clone()).to_json(), before.to_json(), "{expected}");
    }
}

#[test]
fn one_step_may_make_an_object_whole_that_neither_write_makes_alone() {
    let layout = layout(PERSON);
    let mut state = Object::new();
    let alone = write(&layout, &mut state, &[("state.person.age", "7")]).expect_err("no name");
    assert_eq!(alone.to_string(), "state write state.person: 'name' is a required property");
    write(&layout, &mut state, &[("state.person.age", "7"), ("state.person.name", r#""x""#)]).expect("together");
    assert_eq!(Value::Object(state).to_json(), r#"{"person":{"age":7,"name":"x"}}"#);
}

#[test]
fn places_below_nothing_or_null_are_made() {
    let layout = layout(r#"{"free": {}}"#);
    let mut state = object(r#"{"free": null}"#);
    write(&layout, &mut state, &[("state.free.a.b", "1"), ("state.undeclared.c", "2")]).expect("free");
    assert_eq!(Value::Object(state).to_json(), r#"{"free":{"a":{"b":1}},"undeclared":{"c":2}}"#);
}

#[test]
fn a_reducer_works_at_its_exact_path_only() {
    let layout = layout(
        r#"{"box": {"type": "object", "reducer": "wf.std.merge_object",
        "properties": {"n": {"type": "integer", "reducer": "wf.std.add"}, "m": {"type": "integer"}}}}"#,
    );
    let mut state = object(r#"{"box": {"n": 1, "m": 1, "z": 0}}"#);
    write(&layout, &mut state, &[("state.box.n", "5"), ("state.box.m", "5")]).expect("valid");
    write(&layout, &mut state, &[("state.box", r#"{"n": 9, "new": 1}"#)]).expect("valid");
    assert_eq!(Value::Object(state.clone()).to_json(), r#"{"box":{"n":9,"m":5,"z":0,"new":1}}"#);
    let error = write(&layout, &mut state, &[("state.box", r#"{"m": "x"}"#)]).expect_err("invalid");
    assert_eq!(error.to_string(), "state write state.box.m: 'x' is not of type 'integer'");
}

#[test]
fn the_state_others_see_never_changes_under_them() {
    let layout = layout(PERSON);
    let mut state = object(r#"{"log": ["a"], "person": {"name": "x"}}"#);
    let seen = state.clone();
    write(&layout, &mut state, &[("state.log", r#""b""#), ("state.person.name", r#""y""#)]).expect("valid");
    assert_eq!(Value::Object(seen).to_json(), r#"{"log":["a"],"person":{"name":"x"}}"#);
    assert_eq!(Value::Object(state).to_json(), r#"{"log":["a","b"],"person":{"name":"y"}}"#);
}

#[test]
fn output_bindings_become_writes() {
    let layout = layout(PERSON);
    let binding = |text: &str| OutputBinding::parse(&json(text)).expect("a binding");
    let outputs = layout
        .outputs(&[
            binding(r#"{"source": "who", "target": "state.person.name"}"#),
            binding(r#"{"source": ".", "target": "state.\"last output\""}"#),
            binding(r#"{"source": "nothing", "target": "state.n"}"#),
        ])
        .expect("no overlap");
    let texts: Vec<&Arc<str>> = outputs.targets().map(wf_core::state::StateTarget::text).collect();
    assert_eq!(
        texts.iter().map(|text| &***text).collect::<Vec<_>>(),
        ["state.person.name", "state.\"last output\"", "state.n"]
    );
    let writes = outputs.writes(&object(r#"{"who": "x", "nothing": null}"#)).expect("all there");
    let values: Vec<String> = writes.iter().map(|write| write.incoming.to_json()).collect();
    assert_eq!(values, [r#""x""#, r#"{"who":"x","nothing":null}"#, "null"]);
    let missing = outputs.writes(&object(r#"{"who": "x"}"#)).expect_err("`nothing` is missing");
    assert_eq!(missing.path, "nothing");
}

#[test]
fn overlapping_targets_of_one_step_are_refused() {
    let layout = layout(PERSON);
    let binding = |target: &str| {
        OutputBinding::parse(&json(&format!(r#"{{"source": "x", "target": "{target}"}}"#))).expect("a binding")
    };
    for targets in [["state.person", "state.person.name"], ["state.a.b", "state.a"], ["state.a", "state.a"]] {
        let error = layout.outputs(&targets.map(binding)).expect_err("overlap");
        assert_eq!(error.to_string(), "mapped state patch has overlapping destination paths");
    }
    assert!(layout.outputs(&["state.a", "state.ab", "state.c.a"].map(binding)).is_ok());
}

#[test]
fn d6_defaults_and_input_are_checked_before_any_handler_runs() {
    let layout = layout(
        r#"{"a": {"type": "integer", "default": 1}, "b": {"type": "object", "properties": {"c": {"type": "string", "default": "x"}}},
            "none": {"default": null}}"#,
    );
    let initial = |input: &str| layout.initial_state(&object(input)).map(|state| Value::Object(state).to_json());
    assert_eq!(initial("{}"), Ok(r#"{"a":1,"b":{"c":"x"}}"#.to_owned()));
    assert_eq!(initial(r#"{"z": 1, "b": {}, "a": 2}"#), Ok(r#"{"a":2,"b":{},"z":1}"#.to_owned()));
    let message = |input: &str| initial(input).expect_err("invalid").to_string();
    assert_eq!(message(r#"{"a": "x"}"#), "initial state state.a: 'x' is not of type 'integer'");
    assert_eq!(message(r#"{"a": null}"#), "initial state state.a: None is not of type 'integer'");
    assert_eq!(message(r#"{"b": {"c": 1}}"#), "initial state state.b.c: 1 is not of type 'string'");
}

#[test]
fn d6_a_wrong_default_is_reported_when_a_run_starts_with_it() {
    let layout = layout(r#"{"a": {"type": "integer", "default": "x"}, "b": {"type": "integer"}}"#);
    let error = layout.initial_state(&object(r#"{"b": 1}"#)).expect_err("the default is no integer");
    assert_eq!(error.to_string(), "initial state state.a: 'x' is not of type 'integer'");
    assert!(layout.initial_state(&object(r#"{"a": 1}"#)).is_ok(), "the input replaces it");
    let buried = StateLayout::compile(
        &schema(r#"{"properties": {"a": {"default": 1, "properties": {"b": {"default": 2}}}}}"#),
        &NoCustomReducers,
    );
    let error = buried.expect("the schema is fine").initial_state(&Object::new()).expect_err("1 is no object");
    assert_eq!(error.to_string(), "cannot descend into non-object state field 'a'");
}

#[test]
fn d12_fields_behind_references_are_checked_and_have_defaults() {
    let schema = schema(
        r##"{"properties": {"p": {"$ref": "#/$defs/person"}, "tree": {"$ref": "#/$defs/node"}},
            "$defs": {"person": {"type": "object", "properties": {"n": {"type": "integer", "reducer": "wf.std.add", "default": 1}}},
                      "node": {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/node"}}}}}}"##,
    );
    let layout = StateLayout::compile(&schema, &NoCustomReducers).expect("it compiles");
    let mut state = layout.initial_state(&Object::new()).expect("valid");
    write(&layout, &mut state, &[("state.p.n", "2"), ("state.tree.kids", r#"[{"kids": []}]"#)]).expect("valid");
    assert_eq!(Value::Object(state.clone()).to_json(), r#"{"p":{"n":3},"tree":{"kids":[{"kids":[]}]}}"#);
    let error = write(&layout, &mut state, &[("state.tree.kids", r#"[{"kids": [1]}]"#)]).expect_err("invalid");
    assert_eq!(error.to_string(), "state write state.tree.kids[0]['kids'][0]: 1 is not of type 'object'");
}

#[test]
fn every_problem_of_a_layout_is_reported() {
    let schema = schema(
        r#"{"properties": {"a": {"reducer": "no.such"}, "b": {"properties": {"c": {"reducer": {"name": "wf.std.add", "config": {"x": 1}}}}},
            "d": {"pattern": "(?=x)"}}}"#,
    );
    let errors = StateLayout::compile(&schema, &NoCustomReducers).expect_err("three problems");
    let codes: Vec<&str> = errors.iter().map(wf_core::state::LayoutError::code).collect();
    assert_eq!(codes, ["schema.unsupported_pattern", "reducer.unknown", "reducer.config_invalid"]);
    assert_eq!(errors[1].to_string(), "invalid reducer for state field 'a': unknown reducer 'no.such'");
    assert!(
        errors[2].to_string().starts_with("invalid reducer for state field 'b.c': reducer config for 'wf.std.add'")
    );
}

struct Custom(ReducerSpec);

impl ReducerSet for Custom {
    fn spec(&self, name: &str) -> Option<&ReducerSpec> {
        (name == "my.join").then_some(&self.0)
    }
}

#[test]
fn custom_reducers_are_asked_for_and_their_results_are_checked() {
    let custom = Custom(ReducerSpec::parse(&json(r#"{"name": "my.join"}"#)).expect("a specification"));
    let schema =
        schema(r#"{"properties": {"text": {"type": "string", "reducer": "my.join"}, "n": {"reducer": "wf.std.add"}}}"#);
    let layout = StateLayout::compile(&schema, &custom).expect("it compiles");
    let state = object(r#"{"text": "a", "n": 1}"#);
    let target = |path: &str| layout.target(&StatePath::parse(path).expect("a path"));
    let pend = || {
        let writes = vec![
            StateWrite { target: target("state.n"), incoming: json("2") },
            StateWrite { target: target("state.text"), incoming: json(r#""b""#) },
        ];
        match layout.stage(&state, writes).expect("nothing to complain about yet") {
            Staged::NeedsReduce(pending) => pending,
            Staged::Ready(_) => panic!("the custom reducer has not run"),
        }
    };
    let pending = pend();
    let [fold] = pending.folds() else { panic!("one custom reducer") };
    assert_eq!((&*fold.reducer.name, fold.current.to_json(), fold.incoming.len()), ("my.join", r#""a""#.to_owned(), 1));
    assert_eq!(&**fold.target.text(), "state.text");
    let Staged::Ready(patch) = pending.resolve(&layout, &state, vec![json(r#""a+b""#)]).expect("valid") else {
        panic!("nothing is left to reduce")
    };
    let mut after = state.clone();
    patch.apply(&mut after).expect("the state it was staged on");
    assert_eq!(Value::Object(after).to_json(), r#"{"text":"a+b","n":3}"#);
    let error = pend().resolve(&layout, &state, vec![json("5")]).expect_err("5 is no text");
    assert_eq!(error.to_string(), "state write state.text: 5 is not of type 'string'");
    let error = pend().resolve(&layout, &state, Vec::new()).expect_err("a result is missing");
    assert_eq!(error.code(), "state.wrong_reducer_results");
}

#[test]
fn a_patch_applied_to_another_state_writes_all_or_nothing() {
    let layout = layout(r#"{"a": {}, "b": {}}"#);
    let writes = ["state.a", "state.b.c"].map(|path| StateWrite {
        target: layout.target(&StatePath::parse(path).expect("a path")),
        incoming: json("1"),
    });
    let Ok(Staged::Ready(patch)) = layout.stage(&Object::new(), &writes) else { panic!("valid") };
    let mut other = object(r#"{"b": 5}"#);
    assert_eq!(patch.apply(&mut other).expect_err("5 is no object").code(), "state.not_an_object");
    assert_eq!(Value::Object(other).to_json(), r#"{"b":5}"#);
}
