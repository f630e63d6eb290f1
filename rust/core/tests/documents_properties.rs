//! Laws of all documents: canonical documents come back unchanged, and nothing makes a parser panic.

use std::fmt::Debug;

use proptest::prelude::*;
use wf_core::document::{
    Condition, Document, Edge, ErrorPolicy, Expression, ForeachConcurrency, ForeachStep, ForkStep, GatherStep,
    InputBinding, InterruptStep, NodeDef, NodeResult, NodeStep, Operand, OutputBinding, ReducerRef, ReducerSpec,
    RetryPolicy, SchemaRef, StateField, StateFieldShorthand, StateSchema, Step, SubgraphStep, Workflow, WorkflowRef,
};
use wf_core::path::{GraphSourcePath, LocalPath, StatePath};
use wf_core::refs::{CapabilityRef, SourceRef};
use wf_core::validation::{Checks, validate};
use wf_core::value::{Object, Value};

/// Does the same for every kind of document.
macro_rules! for_each_document {
    ($check:ident($argument:expr)) => {
        for_each_document!($check($argument):
            Condition, Edge, ErrorPolicy, Expression, ForeachConcurrency, ForeachStep, ForkStep, GatherStep,
            InputBinding, InterruptStep, NodeDef, NodeResult, NodeStep, Operand, OutputBinding, ReducerRef,
            ReducerSpec, RetryPolicy, SchemaRef, StateField, StateFieldShorthand, StateSchema, Step, SubgraphStep,
            Workflow, WorkflowRef, GraphSourcePath, LocalPath, StatePath, CapabilityRef, SourceRef)
    };
    ($check:ident($argument:expr): $($Document:ty),+) => {{ $($check::<$Document>($argument);)+ }};
}

/// What parses dumps to a form that parses to the same and dumps to the same text.
fn settles<D: Document + Debug>(value: &Value) {
    match D::parse(value) {
        Ok(document) => {
            let dumped = document.dump();
            let again = D::parse(&dumped).unwrap_or_else(|error| panic!("{}: {error}\n{dumped:?}", D::NAME));
            assert_eq!(again, document, "{}", D::NAME);
            assert_eq!(again.dump().to_json(), dumped.to_json(), "{}", D::NAME);
            for field in D::fields() {
                assert!(document.field(field.name).is_some(), "{}.{}", D::NAME, field.name);
            }
        }
        Err(error) => {
            assert!(!error.problems.is_empty(), "{}", D::NAME);
            assert!(error.problems.iter().all(|problem| problem.code.contains('.')), "{error}");
            assert!(error.problems.iter().all(|problem| !problem.message.is_empty()), "{error}");
        }
    }
}

/// Words that documents use, so that random values come close to being documents.
const WORDS: &[&str] = &[
    "id",
    "type",
    "node",
    "subgraph",
    "condition",
    "foreach",
    "join",
    "end",
    "interrupt",
    "fork",
    "gather",
    "name",
    "input",
    "output",
    "path",
    "value",
    "target",
    "source",
    "expression",
    "kind",
    "literal",
    "array",
    "object",
    "items",
    "fields",
    "op",
    "exists",
    "not",
    "and",
    "or",
    "eq",
    "lt",
    "arg",
    "args",
    "left",
    "right",
    "over",
    "as",
    "mode",
    "serial",
    "concurrent",
    "parallel",
    "item_error",
    "on_item_error",
    "action",
    "fail",
    "skip",
    "collect",
    "collect_to",
    "max_active",
    "max_outstanding",
    "check",
    "outcomes",
    "outcome",
    "ok",
    "of",
    "wait",
    "all",
    "any",
    "branches",
    "branch_error",
    "retry",
    "retries",
    "factor",
    "timeout_seconds",
    "in_map",
    "out_map",
    "input_values",
    "request_map",
    "request",
    "resume",
    "request_schema",
    "resume_schema",
    "input_schema",
    "output_schema",
    "state_schema",
    "node_defs",
    "properties",
    "required",
    "$defs",
    "$ref",
    "#/$defs/a",
    "#/properties/a",
    "reducer",
    "ref",
    "config",
    "trace",
    "default",
    "wf.std.add",
    "capability_key",
    "state",
    "state.a",
    "state.a.b",
    "input.x",
    "context.item",
    ".",
    "root",
    "parts",
    "local",
    "start",
    "nodes",
    "edges",
    "from",
    "to",
    "__end__",
    "a",
    "b",
    "workflow",
    "artifact_id",
    "version",
    "workflow.a.v1",
    "string",
    "integer",
    "$schema",
    "https://json-schema.org/draft/2020-12/schema",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![8 => prop::sample::select(WORDS).prop_map(str::to_owned), 1 => any::<String>()]
}

fn any_value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        6 => word().prop_map(Value::from),
        2 => (-3_i64..70).prop_map(Value::from),
        1 => any::<f64>().prop_filter_map("finite", Value::float),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => Just(Value::parse_json("123456789012345678901234567890").expect("an integer")),
    ];
    scalar.prop_recursive(6, 80, 8, |inner| {
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            3 => prop::collection::vec((word(), inner), 0..8).prop_map(|entries| Value::Object(Object::from_iter(entries))),
        ]
    })
}

/// A document of the specification, to be damaged.
fn sound_workflow() -> Value {
    Value::parse_json(
        r##"{"name": "demo",
         "input_schema": {"type": "object", "properties": {"items": {"type": "array"}}, "required": []},
         "state_schema": {"type": "object", "properties": {"seen": {"type": "array", "reducer": "wf.std.append"},
            "p": {"$ref": "#/$defs/P"}}, "required": [], "$defs": {"P": {"type": "object", "properties": {"n": {"default": 1}}}}},
         "output_schema": {"type": "object", "properties": {"seen": {}}, "required": []},
         "output": [{"target": "seen", "path": "state.seen"}],
         "node_defs": [{"name": "w", "input_schema": {"properties": {"x": {}}, "required": []},
            "output_schema": {"properties": {"y": {}}, "required": []}, "outcomes": ["ok"], "retry": 2, "timeout_seconds": 0.5}],
         "outcomes": ["ok"], "start": "each",
         "nodes": [
            {"id": "each", "type": "foreach", "over": "input.items", "as": "item", "mode": "concurrent",
             "item_error": {"action": "collect", "collect_to": "state.seen"},
             "concurrent": {"max_active": 2, "max_outstanding": 2, "interrupt": "quiesce"}},
            {"id": "w", "type": "node", "node": "w", "desc": null,
             "input": [{"target": "x", "expression": {"kind": "array", "items": [{"kind": "path", "path": "context.item"}]}}],
             "output": [{"source": "y", "target": "state.seen"}], "retry": null, "timeout_seconds": 3},
            {"id": "c", "type": "condition", "check": {"op": "or", "args": [{"op": "not", "arg": {"op": "eq",
             "left": {"path": "state.p.n"}, "right": {"value": 1}}}]}},
            {"id": "s", "type": "subgraph", "workflow": {"name": "child"}, "desc": "runs it",
             "input_schema": {"type": "object", "properties": {}, "required": []},
             "output_schema": {"type": "object", "properties": {}, "required": []}, "input": [], "output": [], "outcomes": ["ok"]},
            {"id": "i", "type": "interrupt", "kind": "approval", "request": [], "resume": [], "outcomes": ["submitted"],
             "request_schema": {"type": "object"}, "resume_schema": {"type": "object"}},
            {"id": "f", "type": "fork", "branches": ["l", "r"]},
            {"id": "g", "type": "gather", "of": "f", "wait": 1, "branch_error": {"action": "skip", "collect_to": null}},
            {"id": "j", "type": "join"}, {"id": "e", "type": "end", "outcome": "ok"}],
         "edges": [{"from": "each", "outcome": "loop", "to": "w"}, {"from": "each", "outcome": "done", "to": "e"}]}"##,
    )
    .expect("it is JSON")
}

/// Replaces, removes or adds something at a random place.
fn damage(value: &mut Value, choices: &mut impl Iterator<Item = usize>, replacement: &Value) {
    let choice = choices.next().unwrap_or(0);
    match value {
        Value::Object(object) if !object.is_empty() && !choice.is_multiple_of(5) => {
            let key = object.keys().nth(choice % object.len()).expect("a key").clone();
            match choice % 11 {
                0 => drop(object.remove(&key)),
                1 => drop(object.insert(WORDS[choice % WORDS.len()], replacement.clone())),
                _ => damage(object.get_mut(&key).expect("the key is there"), choices, replacement),
            }
        }
        Value::List(items) if !items.is_empty() && !choice.is_multiple_of(5) => {
            let items = items.make_mut();
            let index = choice % items.len();
            match choice % 11 {
                0 => drop(items.remove(index)),
                1 => items.push(replacement.clone()),
                _ => damage(&mut items[index], choices, replacement),
            }
        }
        other => *other = replacement.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn no_value_makes_a_parser_panic_and_what_parses_settles(value in any_value()) {
        for_each_document!(settles(&value));
    }

    #[test]
    fn a_damaged_workflow_is_refused_or_settles_and_validates(
        places in prop::collection::vec(prop::collection::vec(0_usize..1000, 12), 1..4),
        replacement in any_value(),
    ) {
        let mut value = sound_workflow();
        for place in places {
            damage(&mut value, &mut place.into_iter(), &replacement);
        }
        settles::<Workflow>(&value);
        if let Ok(workflow) = Workflow::parse(&value) {
            let report = validate(&workflow, &Checks::default());
            prop_assert!(report.issues.iter().all(|issue| !issue.path.is_empty() && !issue.message.is_empty()));
        }
    }
}

#[test]
fn the_sound_workflow_is_canonical() {
    let value = sound_workflow();
    let workflow = Workflow::parse(&value).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(workflow.dump().to_json(), value.to_json());
}

/// Something nested far deeper than documents may be.
fn abyss(wrap: impl Fn(Value) -> Value) -> Value {
    (0..10_000).fold(Value::Null, |inner, _| wrap(inner))
}

fn refuses_depth<D: Document + Debug>(value: &Value) {
    let error = D::parse(value).expect_err(D::NAME);
    assert_eq!(error.problems[0].code, "document.too_deep", "{}", D::NAME);
}

#[test]
fn ten_thousand_levels_are_refused_by_every_document() {
    let list = abyss(|inner| Value::from(vec![inner]));
    let object = abyss(|inner| Value::Object(Object::from_iter([("properties", inner)])));
    for_each_document!(refuses_depth(&list));
    for_each_document!(refuses_depth(&object));
    let mut workflow = sound_workflow();
    if let Value::Object(workflow) = &mut workflow {
        workflow.insert("input_schema", object);
    }
    refuses_depth::<Workflow>(&workflow);
}

#[test]
fn the_deepest_documents_that_are_read_need_no_large_stack() {
    // Half of what a thread gets by default.
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(|| {
        let wrap = |depth: usize, key: &str, inner: Value| {
            (0..depth).fold(inner, |inner, _| Value::Object(Object::from_iter([(key, inner)])))
        };
        for key in ["not", "items", "additionalProperties"] {
            let schema = wrap(wf_core::value::MAX_DEPTH - 1, key, Value::Object(Object::new()));
            let schema = SchemaRef::parse(&schema).unwrap_or_else(|error| panic!("{error}"));
            drop(schema.dump().to_json());
        }
        let mut properties = Value::Object(Object::new());
        for _ in 0..(wf_core::value::MAX_DEPTH / 2 - 1) {
            properties = Value::Object(Object::from_iter([(
                "properties",
                Value::Object(Object::from_iter([("p", properties)])),
            )]));
        }
        let state = StateSchema::parse(&properties).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(state.fields().len(), wf_core::value::MAX_DEPTH / 2 - 1);
        let condition =
            (0..99).fold(Value::parse_json(r#"{"op": "exists", "path": "state.a"}"#).expect("JSON"), |inner, _| {
                Value::Object(Object::from_iter([("op", Value::from("and")), ("args", Value::from(vec![inner]))]))
            });
        let condition = Condition::parse(&condition).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(Condition::parse(&condition.dump()), Ok(condition));
    });
    thread.expect("a thread").join().expect("the stack is large enough");
}
