//! The JSON Schemas of documents: they are schemas, they take what documents dump, and they read as expected.

use wf_core::document::{
    BinaryCondition, Condition, Document, Edge, Expression, ForeachStep, ForkStep, GatherStep, InputBinding,
    InputExpressionBinding, InputPathBinding, InputValueBinding, InterruptStep, NodeDef, NodeResult, NodeStep, Operand,
    OutputBinding, ReducerRef, ReducerSpec, RetryPolicy, SchemaRef, StateField, StateSchema, Step, SubgraphStep,
    VariadicCondition, Workflow, WorkflowRef,
};
use wf_core::path::{GraphSourcePath, LocalPath, StatePath};
use wf_core::schema::CompiledSchema;
use wf_core::value::Value;

fn json(text: &str) -> Value {
    Value::parse_json(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// What stands at a JSON pointer.
fn at(value: &Value, pointer: &str) -> Value {
    pointer.split('/').skip(1).fold(value.clone(), |place, token| {
        let next = match &place {
            Value::Object(object) => object.get(token).cloned(),
            Value::List(items) => token.parse::<usize>().ok().and_then(|index| items.get(index).cloned()),
            _ => None,
        };
        next.unwrap_or_else(|| panic!("nothing at {token} of {pointer} in {value:?}"))
    })
}

fn compiled<D: Document>() -> CompiledSchema {
    let Value::Object(schema) = D::json_schema() else { panic!("{} has no object for a schema", D::NAME) };
    assert!(SchemaRef::parse(&Value::Object(schema.clone())).is_ok(), "{}", D::NAME);
    CompiledSchema::compile(&schema).unwrap_or_else(|error| panic!("{}: {error}", D::NAME))
}

/// The schema takes the canonical form of the document.
#[track_caller]
fn takes<D: Document>(text: &str) {
    let document = D::parse(&json(text)).unwrap_or_else(|error| panic!("{error}"));
    if let Err(error) = compiled::<D>().check(&document.dump(), "document") {
        panic!("{}: {error}", D::NAME);
    }
}

#[track_caller]
fn refuses<D: Document>(text: &str) {
    assert!(compiled::<D>().check(&json(text), "document").is_err(), "{}: {text}", D::NAME);
}

#[test]
fn schemas_take_what_documents_dump() {
    takes::<Edge>(r#"{"from": "a", "outcome": "ok", "to": "b"}"#);
    takes::<NodeStep>(
        r#"{"id": "n", "node": "x", "retry": {"retries": 1, "factor": 3}, "timeout_seconds": 0.5,
        "input": [{"target": "a", "path": "state.b"}, {"target": "c", "value": [null]}], "output": [{"source": ".", "target": "state.d"}]}"#,
    );
    takes::<SubgraphStep>(r#"{"id": "s", "workflow": "workflow.a.v3"}"#);
    takes::<ForeachStep>(
        r#"{"id": "e", "over": "state.x", "as": "i", "mode": "concurrent", "concurrent": {}, "item_error": "skip"}"#,
    );
    takes::<InterruptStep>(r#"{"id": "i", "kind": "k"}"#);
    takes::<ForkStep>(r#"{"id": "f", "branches": ["a"]}"#);
    takes::<GatherStep>(r#"{"id": "g", "of": "f", "wait": 3}"#);
    takes::<Condition>(
        r#"{"op": "and", "args": [{"op": "not", "arg": {"op": "exists", "path": "state.a"}},
        {"op": "lt", "left": {"path": "input.a"}, "right": {"value": 1}}]}"#,
    );
    takes::<Expression>(
        r#"{"kind": "object", "fields": {"a": {"kind": "array", "items": [{"kind": "literal", "value": {"b": 1}}]}}}"#,
    );
    takes::<NodeDef>(
        r#"{"name": "n", "input_schema": {"title": "In"}, "output_schema": {"const": null}, "outcomes": ["ok"], "retry": 3}"#,
    );
    takes::<NodeResult>(r#"{"outcome": "ok", "more": 1}"#);
    takes::<ReducerRef>(r#""wf.std.add""#);
    takes::<ReducerSpec>(r#"{"name": "a.b"}"#);
    takes::<RetryPolicy>("3");
    takes::<RetryPolicy>(r#"{"retries": 3, "jitter": true}"#);
    takes::<StateSchema>(r#"{"fields": {"a.b": {"type": "string"}}}"#);
    takes::<StateField>(r#"{"path": "state.a", "type": "array", "default": []}"#);
    takes::<WorkflowRef>(r#""child""#);
    takes::<OutputBinding>(r#"{"source": "a", "target": "state.\"b c\""}"#);
    takes::<Workflow>(
        r#"{"name": "w", "input_schema": {}, "state_schema": {}, "output_schema": {}, "start": "a",
        "nodes": [{"id": "a", "type": "end"}, {"id": "c", "type": "condition", "check": {"op": "exists", "path": "input"}}], "edges": []}"#,
    );
}

#[test]
fn schemas_refuse_what_documents_refuse() {
    refuses::<Edge>(r#"{"from": "a", "outcome": 1, "to": "b"}"#);
    refuses::<NodeStep>(r#"{"id": "n", "type": "nod", "node": "x"}"#);
    refuses::<NodeStep>(r#"{"id": "n", "node": "x", "timeout_seconds": 0}"#);
    refuses::<NodeDef>(r#"{"name": "n", "input_schema": {}, "output_schema": {}, "outcomes": []}"#);
    refuses::<InputBinding>(r#"{"target": "a", "path": "state.b", "value": 1}"#);
    refuses::<ForkStep>(r#"{"id": "f", "branches": ["a"], "more": 1}"#);
    refuses::<GatherStep>(r#"{"id": "g", "of": "f", "wait": 0}"#);
    refuses::<Condition>(r#"{"op": "and", "args": []}"#);
    refuses::<Step>(r#"{"id": "e", "type": "ed"}"#);
    refuses::<StatePath>(r#"{"root": "state", "parts": []}"#);
    refuses::<Workflow>(r#"{"name": "w"}"#);
}

#[test]
fn paths_are_text_or_structural() {
    let schema = GraphSourcePath::json_schema();
    assert_eq!(at(&schema, "/oneOf/0/type"), json(r#""string""#));
    assert_eq!(at(&schema, "/oneOf/1/type"), json(r#""object""#));
    assert_eq!(at(&schema, "/oneOf/1/additionalProperties"), json("false"));
    assert_eq!(at(&schema, "/oneOf/1/required"), json(r#"["root", "parts"]"#));
    assert_eq!(
        at(&schema, "/oneOf/1/properties/root"),
        json(r#"{"type": "string", "enum": ["input", "state", "context"]}"#)
    );
    assert_eq!(
        at(&schema, "/oneOf/1/properties/parts"),
        json(r#"{"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 0}"#)
    );
    assert_eq!(
        at(&LocalPath::json_schema(), "/oneOf/1/properties/root"),
        json(r#"{"type": "string", "const": "local"}"#)
    );
    assert_eq!(
        at(&StatePath::json_schema(), "/oneOf/1/properties/root"),
        json(r#"{"type": "string", "const": "state"}"#)
    );
    assert_eq!(at(&StatePath::json_schema(), "/oneOf/1/properties/parts/minItems"), json("1"));
    assert!(at(&StatePath::json_schema(), "/description").as_str().is_some_and(|text| !text.is_empty()));
}

#[test]
fn json_values_have_seven_branches() {
    let schema = InputValueBinding::json_schema();
    let branches = at(&schema, "/$defs/JsonValue/anyOf");
    let types: Vec<Value> = branches.as_list().expect("a list").iter().map(|branch| at(branch, "/type")).collect();
    assert_eq!(Value::from(types), json(r#"["boolean", "integer", "number", "string", "array", "object", "null"]"#));
    let itself = json(r##"{"$ref": "#/$defs/JsonValue"}"##);
    assert_eq!(at(&branches, "/4/items"), itself);
    assert_eq!(at(&branches, "/5/additionalProperties"), itself);
}

#[test]
fn fields_are_described() {
    let schema = NodeStep::json_schema();
    for (pointer, phrase) in [
        ("/$defs/InputPathBinding/properties/target/description", "whole node input payload"),
        ("/$defs/InputPathBinding/properties/path/description", "input, state, or context"),
        ("/$defs/InputValueBinding/properties/value/description", "Literal JSON-compatible value"),
        ("/$defs/OutputBinding/properties/source/description", "whole node output payload"),
        ("/$defs/OutputBinding/properties/target/description", "Bare state is invalid"),
    ] {
        let description = at(&schema, pointer);
        assert!(description.as_str().is_some_and(|text| text.contains(phrase)), "{pointer}: {description:?}");
    }
    assert_eq!(at(&schema, "/title"), json(r#""NodeUse""#));
    assert_eq!(at(&schema, "/required"), json(r#"["id", "node"]"#));
    assert_eq!(at(&schema, "/properties/type/const"), json(r#""node""#));
    assert_eq!(at(&schema, "/properties/input/default"), json("[]"));
    assert_eq!(at(&schema, "/properties/desc/default"), Value::Null);
}

#[test]
fn keys_in_schemas_are_those_of_the_json() {
    assert_eq!(at(&Edge::json_schema(), "/required"), json(r#"["from", "outcome", "to"]"#));
    assert_eq!(at(&ForeachStep::json_schema(), "/properties/as/type"), json(r#""string""#));
    assert_eq!(at(&GatherStep::json_schema(), "/required"), json(r#"["id", "of"]"#));
}

#[test]
fn schemas_that_refer_to_themselves_keep_a_definition() {
    let schema = Condition::json_schema();
    assert_eq!(at(&schema, "/$ref"), json(r##""#/$defs/Condition""##));
    let schema = wf_core::document::NotCondition::json_schema();
    assert_eq!(at(&schema, "/$ref"), json(r##""#/$defs/NotCondition""##));
    let schema = Workflow::json_schema();
    assert_eq!(at(&schema, "/title"), json(r#""Workflow""#));
}

#[test]
fn variants_have_schemas_of_their_own() {
    for schema in [
        InputPathBinding::json_schema(),
        InputExpressionBinding::json_schema(),
        BinaryCondition::json_schema(),
        VariadicCondition::json_schema(),
        Operand::json_schema(),
    ] {
        assert!(SchemaRef::parse(&schema).is_ok(), "{schema:?}");
    }
}
