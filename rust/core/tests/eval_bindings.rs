//! Payloads from bindings, and the output of a workflow.

use wf_core::document::{Document, InputBinding, SchemaRef};
use wf_core::eval::{ContextLookup, Projection, View, build_payload, get_local, path_exists, resolve_path, set_local};
use wf_core::path::{GraphSourcePath, LocalPath};
use wf_core::value::{Object, Value};

fn json(text: &str) -> Value {
    Value::parse_json(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn object(text: &str) -> Object {
    json(text).as_object().cloned().unwrap_or_else(|| panic!("no object: {text}"))
}

fn bindings(text: &str) -> Vec<InputBinding> {
    let list = json(text);
    list.as_list().expect("a list").iter().map(|item| InputBinding::parse(item).expect("a binding")).collect()
}

/// The data that every test sees.
struct Data {
    input: Object,
    state: Object,
    context: Object,
}

impl Data {
    fn new() -> Self {
        Self {
            input: object(r#"{"text": "hi", "nothing": null}"#),
            state: object(r#"{"n": 1, "person": {"name": "x", "a.b": 2}, "list": [{"0": 1}]}"#),
            context: object(r#"{"prior_outcome": "ok", "foreach": {"each": {"index": 3, "item": {"id": 7}}}}"#),
        }
    }

    fn view(&self) -> View<'_> {
        View { input: &self.input, state: &self.state, context: &self.context }
    }
}

fn built(text: &str) -> Result<String, String> {
    let data = Data::new();
    build_payload(&bindings(text), &data.view(), "node 'work' input")
        .map(|payload| Value::Object(payload).to_json())
        .map_err(|error| error.to_string())
}

#[test]
fn bindings_apply_in_order() {
    let cases = [
        ("[]", "{}"),
        (r#"[{"target": "v", "path": "state.n"}, {"target": "w", "value": [1]}]"#, r#"{"v":1,"w":[1]}"#),
        (
            r#"[{"target": "a.b.c", "path": "input.text"}, {"target": "a.d", "value": null}]"#,
            r#"{"a":{"b":{"c":"hi"},"d":null}}"#,
        ),
        (r#"[{"target": ".", "path": "state.person"}]"#, r#"{"name":"x","a.b":2}"#),
        (r#"[{"target": "old", "value": 1}, {"target": ".", "value": {"new": 2}}]"#, r#"{"new":2}"#),
        (r#"[{"target": ".", "value": {"k": 1}}, {"target": "k", "value": 2}]"#, r#"{"k":2}"#),
        (r#"[{"target": "same", "value": 1}, {"target": "same", "value": 2}]"#, r#"{"same":2}"#),
        (r#"[{"target": "all", "path": "input"}]"#, r#"{"all":{"text":"hi","nothing":null}}"#),
        (r#"[{"target": "quoted", "path": "state.person.\"a.b\""}]"#, r#"{"quoted":2}"#),
    ];
    for (text, expected) in cases {
        assert_eq!(built(text), Ok(expected.to_owned()), "{text}");
    }
}

#[test]
fn an_explicit_null_is_a_value() {
    assert_eq!(built(r#"[{"target": "v", "path": "input.nothing"}]"#), Ok(r#"{"v":null}"#.to_owned()));
}

#[test]
fn errors_name_the_label_the_place_and_the_cause() {
    let cases = [
        (r#"[{"target": "v", "path": "state.q"}]"#, "node 'work' input v: path 'state.q' could not be resolved"),
        (
            r#"[{"target": "v", "path": "input.nothing.x"}]"#,
            "node 'work' input v: path 'input.nothing.x' could not be resolved",
        ),
        (
            r#"[{"target": "v", "path": "state.list.0"}]"#,
            "node 'work' input v: path 'state.list.0' could not be resolved",
        ),
        (r#"[{"target": ".", "value": 1}]"#, "node 'work' input .: root local path requires a mapping value"),
        (
            r#"[{"target": "request", "value": 1}, {"target": "request.title", "value": 2}]"#,
            "node 'work' input request.title: local path 'request.title' overlaps an existing value",
        ),
        (
            r#"[{"target": "request", "expression": {"kind": "object", "fields": {"items": {"kind": "array", "items": [
                {"kind": "path", "path": "state.missing"}]}}}}]"#,
            "node 'work' input request.items[0]: path 'state.missing' could not be resolved",
        ),
        (
            r#"[{"target": "\"a b\"", "path": "state.person.\"no such\""}]"#,
            "node 'work' input \"a b\": path 'state.person.\"no such\"' could not be resolved",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(built(text), Err(expected.to_owned()), "{text}");
    }
}

#[test]
fn expressions_build_lists_and_objects_in_their_order() {
    let text = r#"[{"target": "request", "expression": {"kind": "object", "fields": {
        "items": {"kind": "array", "items": [{"kind": "path", "path": "state.n"}, {"kind": "literal", "value": "x"}]},
        "sep": {"kind": "literal", "value": " "}, "all": {"kind": "path", "path": "context.foreach.each"}}}}]"#;
    let expected = r#"{"request":{"items":[1,"x"],"sep":" ","all":{"index":3,"item":{"id":7}}}}"#;
    assert_eq!(built(text), Ok(expected.to_owned()));
}

#[test]
fn d9_bindings_see_the_whole_context() {
    assert_eq!(
        built(
            r#"[{"target": "o", "path": "context.prior_outcome"}, {"target": "id", "path": "context.foreach.each.item.id"}]"#
        ),
        Ok(r#"{"o":"ok","id":7}"#.to_owned())
    );
    let all = built(r#"[{"target": ".", "path": "context"}]"#).expect("an object");
    assert!(all.starts_with(r#"{"prior_outcome":"ok""#), "{all}");
}

#[test]
fn d4_what_a_binding_hands_out_shares_no_changes_with_the_state() {
    let mut data = Data::new();
    let mut payload =
        build_payload(&bindings(r#"[{"target": "p", "path": "state.person"}]"#), &data.view(), "x").expect("a payload");
    let Some(Value::Object(person)) = payload.get_mut("p") else { panic!("an object") };
    person.insert("name", "changed");
    data.state.insert("n", 5_i64);
    assert_eq!(data.state.get("person").map(Value::to_json), Some(r#"{"name":"x","a.b":2}"#.to_owned()));
}

#[test]
fn paths_lead_through_objects_only() {
    let data = Data::new();
    let path = |text: &str| GraphSourcePath::parse(text).expect("a path");
    assert_eq!(resolve_path(&path("state.person.name"), &data.view()), Ok(Value::from("x")));
    assert!(path_exists(&path("input.nothing"), &data.view()));
    assert!(!path_exists(&path("state.list.0"), &data.view()));
    assert!(!path_exists(&path("context.nothing"), &data.view()));
    assert_eq!(
        resolve_path(&path("context.foreach.other"), &data.view()).expect_err("nothing there").to_string(),
        "path 'context.foreach.other' could not be resolved"
    );
    // An object serves as a context, too.
    assert_eq!(ContextLookup::get(&data.context, "prior_outcome"), Some(Value::from("ok")));
}

#[test]
fn places_of_a_payload_are_read_and_written() {
    let path = |text: &str| LocalPath::parse(text).expect("a path");
    let mut payload = object(r#"{"a": {"b": 1}}"#);
    assert_eq!(get_local(&payload, &path("a.b")), Ok(Value::Int(1)));
    assert_eq!(get_local(&payload, &path(".")), Ok(json(r#"{"a": {"b": 1}}"#)));
    assert_eq!(
        get_local(&payload, &path("a.c")).expect_err("nothing there").to_string(),
        "local path 'a.c' could not be resolved"
    );
    set_local(&mut payload, &path("a.c.d"), Value::Int(2)).expect("free");
    let before = payload.clone();
    assert_eq!(
        set_local(&mut payload, &path("a.b.c"), Value::Int(3)).expect_err("a number is there").code(),
        "local_path.overlap"
    );
    assert_eq!(payload, before);
    assert_eq!(Value::Object(payload).to_json(), r#"{"a":{"b":1,"c":{"d":2}}}"#);
}

#[test]
fn the_output_is_projected_by_bindings_or_by_the_names_of_the_schema() {
    let data = Data::new();
    let schema = SchemaRef::parse(&json(r#"{"properties": {"n": {}, "missing": {}, "list": {}}}"#)).expect("a schema");
    let by_name = Projection::compile(&[], &schema).project(&data.view()).expect("an output");
    assert_eq!(Value::Object(by_name).to_json(), r#"{"n":1,"list":[{"0":1}]}"#);
    let bound = bindings(r#"[{"target": "m", "path": "state.n"}, {"target": "c", "path": "context.prior_outcome"}]"#);
    let by_binding = Projection::compile(&bound, &schema).project(&data.view()).expect("an output");
    assert_eq!(Value::Object(by_binding).to_json(), r#"{"m":1,"c":"ok"}"#);
    let missing = Projection::compile(&bindings(r#"[{"target": "m", "path": "state.x"}]"#), &schema);
    let error = missing.project(&data.view()).expect_err("nothing there");
    assert_eq!(error.to_string(), "path 'state.x' could not be resolved");
}
