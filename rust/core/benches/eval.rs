//! What the run machine pays per step for checking, binding and writing.
//!
//! `cargo bench -p wf-core --bench eval`

use std::hint::black_box;

use divan::Bencher;
use wf_core::document::{Document, InputBinding, StateSchema};
use wf_core::eval::{CompiledBindings, NoContext, View};
use wf_core::path::StatePath;
use wf_core::reducer::NoCustomReducers;
use wf_core::schema::CompiledSchema;
use wf_core::state::{Staged, StateLayout, StateWrite};
use wf_core::value::{Object, Value};

#[global_allocator]
static ALLOC: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
}

fn object(text: &str) -> Object {
    match Value::parse_json(text) {
        Ok(Value::Object(object)) => object,
        other => panic!("{other:?} for {text}"),
    }
}

const PROPERTIES: &str = r#"{"name": {"type": "string"}, "count": {"type": "integer", "minimum": 0}, "score": {"type": "number"},
    "done": {"type": "boolean"}, "tags": {"type": "array", "items": {"type": "string"}}}"#;
const FIVE: &str = r#"{"name": "x", "count": 3, "score": 0.5, "done": false, "tags": ["a", "b"]}"#;

#[divan::bench]
fn check_an_object_of_five_keys(bencher: Bencher<'_, '_>) {
    let schema = format!(
        r#"{{"type": "object", "properties": {PROPERTIES}, "required": ["name", "count"], "additionalProperties": false}}"#
    );
    let schema = CompiledSchema::compile(&object(&schema)).expect("the schema compiles");
    let value = Value::Object(object(FIVE));
    bencher.bench_local(|| black_box(&schema).check(black_box(&value), "L").is_ok());
}

#[divan::bench]
fn check_a_list_of_a_thousand_objects(bencher: Bencher<'_, '_>) {
    let schema = format!(r#"{{"type": "array", "items": {{"type": "object", "properties": {PROPERTIES}}}}}"#);
    let schema = CompiledSchema::compile(&object(&schema)).expect("the schema compiles");
    let value = Value::List((0..1_000).map(|_| Value::Object(object(FIVE))).collect());
    bencher.bench_local(|| black_box(&schema).check(black_box(&value), "L").is_ok());
}

#[divan::bench]
fn build_a_payload_of_one_path(bencher: Bencher<'_, '_>) {
    let binding = InputBinding::parse(&Value::Object(object(r#"{"target": "v", "path": "state.count"}"#)));
    let bindings = CompiledBindings::compile(&[binding.expect("the binding parses")]);
    let state = object(FIVE);
    let view = View { input: &Object::new(), state: &state, context: &NoContext };
    bencher.bench_local(|| bindings.build(black_box(&view), "L").expect("the path leads somewhere"));
}

fn layout(reducer: &str) -> StateLayout {
    let properties = PROPERTIES.replace(r#""minimum": 0"#, &format!(r#""minimum": 0, "reducer": "{reducer}""#));
    let properties = properties.replace(r#""type": "array","#, r#""type": "array", "reducer": "wf.std.append","#);
    let schema = StateSchema::parse(&Value::Object(object(&format!(r#"{{"properties": {properties}}}"#))));
    StateLayout::compile(&schema.expect("the schema parses"), &NoCustomReducers).expect("the schema compiles")
}

fn commit(layout: &StateLayout, state: &mut Object, writes: Vec<StateWrite>) {
    match layout.stage(state, writes) {
        Ok(Staged::Ready(patch)) => patch.apply(state).expect("it was staged on this state"),
        other => panic!("{other:?}"),
    }
}

#[divan::bench(args = ["wf.std.replace", "wf.std.add"])]
fn write_one_key_of_five(bencher: Bencher<'_, '_>, reducer: &str) {
    let layout = layout(reducer);
    let target = layout.target(&StatePath::parse("state.count").expect("a path"));
    let mut state = object(FIVE);
    bencher.bench_local(|| {
        commit(&layout, &mut state, vec![StateWrite { target: target.clone(), incoming: Value::Int(1) }]);
    });
}

#[divan::bench]
fn write_one_key_of_five_that_others_see(bencher: Bencher<'_, '_>) {
    let layout = layout("wf.std.replace");
    let target = layout.target(&StatePath::parse("state.count").expect("a path"));
    let mut state = object(FIVE);
    bencher.bench_local(|| {
        let seen = state.clone();
        commit(&layout, &mut state, vec![StateWrite { target: target.clone(), incoming: Value::Int(1) }]);
        seen
    });
}

#[divan::bench(args = [10, 10_000])]
fn append_to_a_list(bencher: Bencher<'_, '_>, length: usize) {
    let layout = layout("wf.std.replace");
    let target = layout.target(&StatePath::parse("state.tags").expect("a path"));
    let mut state = object(FIVE);
    state.insert("tags", Value::List((0..length).map(|_| Value::from("a")).collect()));
    let item = Value::from("b");
    bencher.bench_local(|| {
        commit(&layout, &mut state, vec![StateWrite { target: target.clone(), incoming: item.clone() }]);
    });
}
