//! The documents of the specification: canonical ones come back unchanged, former shapes come back canonical.

use wf_core::document::{
    Condition, Document, DocumentError, Edge, ErrorPolicy, ForeachConcurrency, ForeachStep, ForkStep, GatherStep,
    InputBinding, InterruptStep, NodeDef, NodeResult, NodeStep, ReducerRef, ReducerSpec, RetryPolicy, SchemaRef,
    StateField, StateSchema, Step, SubgraphStep, Workflow, WorkflowRef,
};
use wf_core::value::Value;

fn json(text: &str) -> Value {
    Value::parse_json(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn parsed<D: Document>(text: &str) -> D {
    D::parse(&json(text)).unwrap_or_else(|error| panic!("{error}"))
}

fn problems<D: Document + std::fmt::Debug>(text: &str) -> DocumentError {
    D::parse(&json(text)).expect_err("the document is wrong")
}

fn message<D: Document + std::fmt::Debug>(text: &str) -> String {
    let error = problems::<D>(text);
    assert_eq!(error.problems.len(), 1, "{error}");
    error.problems[0].message.clone()
}

/// Compares texts, so that the order of keys counts.
#[track_caller]
fn canonical<D: Document>(text: &str) {
    assert_eq!(parsed::<D>(text).dump().to_json(), json(text).to_json());
}

#[track_caller]
fn becomes<D: Document>(text: &str, canonical: &str) {
    assert_eq!(parsed::<D>(text).dump().to_json(), json(canonical).to_json());
}

const DEMO: &str = r#"{"name": "demo",
 "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
 "state_schema": {"type": "object", "properties": {"seen": {"type": "array", "reducer": "wf.std.append"}}, "required": []},
 "output_schema": {"type": "object", "properties": {"seen": {"type": "array"}}, "required": []},
 "output": [{"target": "seen", "path": "state.seen"}],
 "node_defs": [{"name": "demo.echo",
    "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": []},
    "output_schema": {"type": "object", "properties": {"echoed": {}}, "required": []},
    "outcomes": ["ok"], "retry": null, "timeout_seconds": null}],
 "outcomes": ["ok"],
 "start": "say",
 "nodes": [{"id": "say", "type": "node", "node": "demo.echo", "desc": null,
    "input": [{"target": "text", "path": "input.text"}],
    "output": [{"source": "echoed", "target": "state.seen"}],
    "retry": null, "timeout_seconds": null}],
 "edges": [{"from": "say", "outcome": "ok", "to": "__end__"}]}"#;

#[test]
fn the_complete_example_is_canonical() {
    canonical::<Workflow>(DEMO);
}

#[test]
fn canonical_steps_come_back_unchanged() {
    canonical::<Edge>(r#"{"from": "a", "outcome": "ok", "to": "__end__"}"#);
    canonical::<Step>(
        r#"{"id": "n", "type": "node", "node": "demo.echo", "desc": null,
            "input": [{"target": "text", "path": "input.text"}, {"target": "mode", "value": null}],
            "output": [{"source": ".", "target": "state.result"}], "retry": null, "timeout_seconds": null}"#,
    );
    canonical::<Step>(
        r#"{"id": "s", "type": "subgraph", "workflow": {"name": "child"}, "desc": null,
            "input_schema": {"type": "object", "properties": {}, "required": []},
            "output_schema": {"type": "object", "properties": {}, "required": []},
            "input": [], "output": [], "outcomes": ["ok"]}"#,
    );
    canonical::<Step>(
        r#"{"id": "each", "type": "foreach", "over": "state.items", "as": "item", "mode": "concurrent",
            "item_error": {"action": "collect", "collect_to": "state.errors"},
            "concurrent": {"max_active": 2, "max_outstanding": 2, "interrupt": "quiesce"}}"#,
    );
    canonical::<Step>(
        r#"{"id": "ask", "type": "interrupt", "kind": "approval",
            "request": [{"target": "summary", "path": "state.summary"}],
            "resume": [{"source": "approved", "target": "state.approved"}], "outcomes": ["submitted"],
            "request_schema": {"type": "object", "additionalProperties": true},
            "resume_schema": {"type": "object", "additionalProperties": true}}"#,
    );
    canonical::<Step>(
        r#"{"id": "c", "type": "condition", "check": {"op": "and", "args": [
            {"op": "exists", "path": "state.count"},
            {"op": "not", "arg": {"op": "ge", "left": {"path": "state.count"}, "right": {"value": 3}}}]}}"#,
    );
    canonical::<Step>(r#"{"id": "j", "type": "join"}"#);
    canonical::<Step>(r#"{"id": "e", "type": "end", "outcome": "ok"}"#);
    canonical::<Step>(r#"{"id": "f", "type": "fork", "branches": ["prices", "reviews"]}"#);
    canonical::<Step>(
        r#"{"id": "g", "type": "gather", "of": "f", "wait": "all",
            "branch_error": {"action": "fail", "collect_to": null}}"#,
    );
    canonical::<GatherStep>(
        r#"{"id": "g", "type": "gather", "of": "f", "wait": 2,
            "branch_error": {"action": "collect", "collect_to": "state.errors"}}"#,
    );
}

#[test]
fn canonical_expressions_come_back_unchanged() {
    canonical::<InputBinding>(
        r#"{"target": "request", "expression": {"kind": "object", "fields": {
            "items": {"kind": "array", "items": [{"kind": "path", "path": "state.foo"}, {"kind": "literal", "value": "x"}]},
            "sep": {"kind": "literal", "value": " "}}}}"#,
    );
}

#[test]
fn what_may_be_left_out_is_filled_in() {
    becomes::<SchemaRef>("{}", r#"{"properties": {}, "required": []}"#);
    becomes::<ForeachStep>(
        r#"{"id": "each", "over": "state.items", "as": "item"}"#,
        r#"{"id": "each", "type": "foreach", "over": "state.items", "as": "item", "mode": "serial",
            "item_error": {"action": "fail", "collect_to": null}, "concurrent": null}"#,
    );
    becomes::<ForeachConcurrency>("{}", r#"{"max_active": 4, "max_outstanding": 20, "interrupt": "quiesce"}"#);
    becomes::<GatherStep>(
        r#"{"id": "g", "type": "gather", "of": "f", "branch_error": "skip"}"#,
        r#"{"id": "g", "type": "gather", "of": "f", "wait": "all", "branch_error": {"action": "skip", "collect_to": null}}"#,
    );
    becomes::<NodeResult>(
        r#"{"outcome": "ok", "remark": 1}"#,
        r#"{"outcome": "ok", "output": {}, "meta": {}, "remark": 1}"#,
    );
    becomes::<ReducerSpec>(
        r#"{"name": "x.y", "colour": "red"}"#,
        r#"{"name": "x.y", "description": null,
            "config_schema": {"type": "object", "properties": {}, "additionalProperties": false},
            "sibling_write_policy": "mergeable", "colour": "red"}"#,
    );
}

#[test]
fn d2_legacy_maps_of_a_node_become_lists_in_a_fixed_order() {
    becomes::<NodeStep>(
        r#"{"id": "n", "type": "node", "node": "x", "in_map": {"state.a": "b"}, "input_values": {"c": 1},
            "out_map": {"d": "state.e"}}"#,
        r#"{"id": "n", "type": "node", "node": "x", "desc": null,
            "input": [{"target": "c", "value": 1}, {"target": "b", "path": "state.a"}],
            "output": [{"source": "d", "target": "state.e"}], "retry": null, "timeout_seconds": null}"#,
    );
    assert_eq!(
        message::<NodeStep>(
            r#"{"id": "n", "node": "x", "input": [], "out_map": {}, "in_map": {}, "input_values": {}}"#
        ),
        "cannot mix canonical input/output with deprecated fields: in_map, input_values, out_map"
    );
    assert_eq!(message::<NodeStep>(r#"{"id": "n", "node": "x", "in_map": []}"#), "in_map must be a mapping");
}

#[test]
fn d2_legacy_maps_of_an_interrupt_become_lists() {
    let step: InterruptStep =
        parsed(r#"{"id": "i", "kind": "k", "request_map": {"state.a": "b"}, "out_map": {"c": "state.d"}}"#);
    assert_eq!(
        step.dump().as_object().and_then(|step| step.get("request")),
        Some(&json(r#"[{"target": "b", "path": "state.a"}]"#))
    );
    assert_eq!(
        message::<InterruptStep>(r#"{"id": "i", "kind": "k", "request": [], "request_map": {}}"#),
        "cannot mix canonical request/resume with deprecated fields: request_map"
    );
}

#[test]
fn d2_legacy_shapes_of_a_foreach_are_accepted() {
    let canonical = r#"{"id": "e", "type": "foreach", "over": "state.x", "as": "i", "mode": "concurrent",
        "item_error": {"action": "skip", "collect_to": null},
        "concurrent": {"max_active": 4, "max_outstanding": 20, "interrupt": "quiesce"}}"#;
    becomes::<ForeachStep>(
        r#"{"id": "e", "over": "state.x", "as_": "i", "mode": "parallel", "parallel": {}, "on_item_error": "skip"}"#,
        canonical,
    );
    assert_eq!(
        message::<ForeachStep>(r#"{"id": "e", "over": "state.x", "as": "i", "parallel": {}, "concurrent": {}}"#),
        "cannot mix deprecated parallel with concurrent"
    );
    assert_eq!(
        message::<ForeachStep>(
            r#"{"id": "e", "over": "state.x", "as": "i", "on_item_error": "skip", "item_error": "fail"}"#
        ),
        "cannot mix deprecated on_item_error with item_error"
    );
}

#[test]
fn d2_legacy_fields_of_a_state_schema_become_properties() {
    becomes::<StateSchema>(
        r#"{"fields": {"person.name": {"type": "string"},
            "state.count": {"type": "integer", "reducer": "wf.std.add", "default": 0, "trace": false}}}"#,
        r#"{"type": "object",
            "properties": {
              "person": {"type": "object", "properties": {
                "name": {"type": "string", "properties": {}, "required": [], "reducer": "wf.std.replace"}}},
              "count": {"type": "integer", "properties": {}, "required": [], "reducer": "wf.std.add",
                        "trace": false, "default": 0}},
            "required": []}"#,
    );
    becomes::<StateSchema>(
        r#"{"fields": [{"path": "state.a", "type": "string"},
            {"path": "state.b", "schema": {"type": "array"}, "reducer": {"name": "x.y", "config": {"k": 1}}}]}"#,
        r#"{"type": "object", "properties": {
              "a": {"type": "string", "properties": {}, "required": [], "reducer": "wf.std.replace"},
              "b": {"type": "array", "properties": {}, "required": [],
                    "reducer": {"ref": {"source": "x", "capability_key": "y"}, "config": {"k": 1}}}},
            "required": []}"#,
    );
    let cases = [
        (r#"{"fields": 1}"#, "state_schema.fields must be a mapping or list"),
        (
            r#"{"fields": {"a": 1}}"#,
            "legacy state field map entries must include 'type'; use canonical list form for non-legacy declarations",
        ),
        (r#"{"fields": {"a": {"type": "object"}, "state.a": {"type": "object"}}}"#, "duplicate state field path 'a'"),
        (r#"{"fields": {"a.b": {"type": "string"}, "a": {"type": "object"}}}"#, "duplicate state field path 'a'"),
        (r#"{"fields": {"a": {"type": "string"}, "a.b": {"type": "string"}}}"#, "state field path 'a.b' overlaps"),
    ];
    for (text, expected) in cases {
        assert_eq!(message::<StateSchema>(text), expected);
    }
}

#[test]
fn reducers_may_be_named_in_every_way() {
    let canonical = r#"{"ref": {"source": "wf.std", "capability_key": "add"}, "config": {}}"#;
    becomes::<ReducerRef>(r#""wf.std.add""#, canonical);
    becomes::<ReducerRef>(r#"{"ref": "wf.std.add"}"#, canonical);
    becomes::<ReducerRef>(r#"{"name": "wf.std.add", "config": null}"#, canonical);
    becomes::<ReducerRef>(r#"{"ref": {"source": {"parts": ["wf", "std"]}, "name": "add"}}"#, canonical);
    assert_eq!(
        message::<ReducerRef>(r#"{"ref": "a.b", "name": "a.b"}"#),
        "reducer ref and name are mutually exclusive"
    );
    assert_eq!(message::<ReducerRef>(r#""add""#), "capability ref requires source and capability segments");
}

#[test]
fn wrong_state_fields_are_named() {
    let cases = [
        (
            r#"{"properties": {"a": {"properties": {"b": {"reducer": 1}}}}}"#,
            "invalid reducer for state field 'a.b': expected string or object",
        ),
        (
            r#"{"properties": {"a": {"reducer": "add"}}}"#,
            "invalid reducer for state field 'a': capability ref requires source and capability segments",
        ),
        (r#"{"properties": {"a": {"trace": 1}}}"#, "invalid trace for state field 'a': expected bool"),
    ];
    for (text, expected) in cases {
        assert_eq!(message::<StateSchema>(text), expected);
    }
}

#[test]
fn error_policies_and_concurrency_are_checked_against_themselves() {
    let cases = [
        (r#""collect""#, "collect item error policy requires collect_to"),
        (r#"{"action": "skip", "collect_to": "state.e"}"#, "collect_to is only valid when action='collect'"),
    ];
    for (text, expected) in cases {
        assert_eq!(message::<ErrorPolicy>(text), expected);
    }
    assert_eq!(
        message::<ForeachConcurrency>(r#"{"max_active": 3, "max_outstanding": 2}"#),
        "max_outstanding must be >= max_active"
    );
    let step = |rest: &str| format!(r#"{{"id": "e", "over": "state.x", "as": "i", {rest}}}"#);
    assert_eq!(
        message::<ForeachStep>(&step(r#""mode": "concurrent""#)),
        "concurrent foreach requires concurrent policy"
    );
    assert_eq!(
        message::<ForeachStep>(&step(r#""concurrent": {}"#)),
        "concurrent policy is only valid when mode='concurrent'"
    );
}

#[test]
fn workflow_refs_are_names_or_artifacts() {
    becomes::<WorkflowRef>(r#""child""#, r#"{"name": "child"}"#);
    becomes::<WorkflowRef>(r#""workflow.a.b.v2""#, r#"{"artifact_id": "a.b", "version": 2}"#);
    becomes::<WorkflowRef>(r#""workflow..v2""#, r#"{"name": "workflow..v2"}"#);
    becomes::<WorkflowRef>(
        r#"{"artifact_id": "a.b", "version": 2, "name": null}"#,
        r#"{"artifact_id": "a.b", "version": 2}"#,
    );
    let cases = [
        (r#"{"name": "a", "version": 1}"#, "workflow ref requires exactly one of name or artifact_id/version"),
        ("{}", "workflow ref requires exactly one of name or artifact_id/version"),
        (r#"{"artifact_id": "a"}"#, "workflow artifact ref requires both artifact_id and version"),
        (r#"{"name": " "}"#, "workflow ref name must not be empty"),
        (r#"{"artifact_id": "", "version": 1}"#, "workflow artifact id must not be empty"),
        (r#""workflow.x.v0""#, "expected an integer of at least 1, got 0"),
    ];
    for (text, expected) in cases {
        assert_eq!(message::<WorkflowRef>(text), expected);
    }
    assert_eq!(parsed::<WorkflowRef>(r#""workflow.a.b.v2""#).to_string(), "workflow.a.b.v2");
}

#[test]
fn d5_a_retry_policy_is_a_number_or_an_object() {
    becomes::<RetryPolicy>("3", "3");
    becomes::<RetryPolicy>(r#"{"retries": 3}"#, "3");
    becomes::<RetryPolicy>(
        r#"{"retries": 2, "backoff_seconds": 0.5, "errors": ["TimeoutError"]}"#,
        r#"{"retries": 2, "backoff_seconds": 0.5, "factor": 2, "max_backoff_seconds": 60, "jitter": false,
            "errors": ["TimeoutError"]}"#,
    );
    assert_eq!(message::<RetryPolicy>(r#"{"retries": 1, "factor": 0.5}"#), "expected a number of at least 1, got 0.5");
    assert_eq!(message::<RetryPolicy>("-1"), "expected an integer from 0 to 4294967295, got -1");
}

#[test]
fn d5_a_time_limit_is_any_positive_number_and_dumps_whole_when_it_is() {
    let step = |limit: &str| format!(r#"{{"id": "n", "node": "x", "timeout_seconds": {limit}}}"#);
    for (given, dumped) in [("2.0", "2"), ("2", "2"), ("0.5", "0.5"), ("null", "null")] {
        let step: NodeStep = parsed(&step(given));
        assert_eq!(
            step.dump().as_object().and_then(|step| step.get("timeout_seconds")).map(Value::to_json).as_deref(),
            Some(dumped)
        );
    }
    assert_eq!(message::<NodeStep>(&step("0")), "expected a number above 0, got 0");
    assert_eq!(message::<NodeStep>(&step("true")), "expected a number, got true");
}

#[test]
fn an_interrupt_keeps_its_schemas_as_written() {
    let text = r#"{"id": "i", "type": "interrupt", "kind": "k", "request": [], "resume": [], "outcomes": [],
        "request_schema": {"additionalProperties": true, "type": "object"}, "resume_schema": {"type": "object"}}"#;
    canonical::<InterruptStep>(text);
    assert_eq!(
        message::<InterruptStep>(r#"{"id": "i", "kind": "k", "request_schema": true}"#),
        "request_schema must be a JSON Schema object"
    );
    assert_eq!(
        message::<InterruptStep>(r#"{"id": "i", "kind": "k", "resume_schema": {"type": ["object"]}}"#),
        "resume_schema must describe a JSON object"
    );
}

#[test]
fn fault_19_a_reloaded_default_interrupt_has_no_explicit_contract() {
    let step: InterruptStep = parsed(r#"{"id": "i", "kind": "k"}"#);
    assert!(!step.has_explicit_contract);
    let reloaded = InterruptStep::parse(&step.dump()).expect("a dump parses");
    assert!(!reloaded.has_explicit_contract);
    let typed: InterruptStep = parsed(r#"{"id": "i", "kind": "k", "resume_schema": {"type": "object"}}"#);
    assert!(typed.has_explicit_contract);
}

#[test]
fn every_problem_of_a_document_is_reported_at_once() {
    let error = problems::<Workflow>(
        r#"{"name": 1, "input_schema": {"type": "objec"}, "state_schema": {}, "output_schema": [],
            "outcomes": [], "nodes": [{"id": "a", "type": "nod"}, {"type": "end", "id": "e"},
            {"id": "n", "type": "node", "node": "x", "input": [{"target": "..", "path": "stat.x"}]}]}"#,
    );
    let found: Vec<(&str, &str)> = error.problems.iter().map(|problem| (problem.code, problem.path.as_str())).collect();
    assert_eq!(
        found,
        [
            ("document.type", "name"),
            ("schema.invalid", "input_schema.type"),
            ("document.type", "output_schema"),
            ("document.empty", "outcomes"),
            ("document.missing", "start"),
            ("document.value", "nodes[0].type"),
            ("path.syntax", "nodes[2].input[0].target"),
            ("path.root", "nodes[2].input[0].path"),
            ("document.missing", "edges"),
        ]
    );
    assert_eq!(error.problems[5].hint.as_deref(), Some("did you mean 'node'?"));
}

#[test]
fn a_workflow_output_takes_no_expression() {
    let text = DEMO.replace(
        r#""output": [{"target": "seen", "path": "state.seen"}]"#,
        r#""output": [{"target": "seen", "expression": {"kind": "literal", "value": 1}}]"#,
    );
    let error = problems::<Workflow>(&text);
    assert_eq!(error.problems[0].code, "binding.expression_not_allowed");
    assert_eq!(error.problems[0].path, "output[0].expression");
}

#[test]
fn a_binding_has_exactly_one_source() {
    assert_eq!(
        message::<InputBinding>(r#"{"target": "x", "path": "state.a", "value": 1}"#),
        "expected only one of path, value and expression, got path and value"
    );
    let error = problems::<InputBinding>(r#"{"target": "x", "pth": "state.a"}"#);
    assert_eq!(error.problems[0].message, "expected one of path, value or expression");
    assert_eq!(error.problems[0].hint.as_deref(), Some("did you mean 'path'?"));
}

#[test]
fn unknown_keys_are_ignored_or_refused_as_ever() {
    becomes::<Edge>(
        r#"{"from": "a", "outcome": "ok", "to": "b", "colour": 1}"#,
        r#"{"from": "a", "outcome": "ok", "to": "b"}"#,
    );
    let error = problems::<ForkStep>(r#"{"id": "f", "branches": ["a"], "branchs": 1}"#);
    assert_eq!(error.problems[0].message, "unknown field 'branchs'");
    assert_eq!(error.problems[0].hint.as_deref(), Some("did you mean 'branches'?"));
}

#[test]
fn an_edge_takes_only_its_alias() {
    assert_eq!(message::<Edge>(r#"{"from_": "a", "outcome": "ok", "to": "b"}"#), "missing required field 'from'");
}

#[test]
fn state_fields_are_listed_parents_first() {
    let schema: StateSchema = parsed(
        r##"{"$defs": {"P": {"type": "object", "properties": {"name": {"type": "string", "default": "x"}}}},
            "properties": {"p": {"$ref": "#/$defs/P"}, "a.b": {"type": "integer", "reducer": "wf.std.add"}}}"##,
    );
    let fields: Vec<(String, String)> =
        schema.fields().iter().map(|field| (field.path.to_string(), field.reducer.name())).collect();
    assert_eq!(
        fields,
        [
            ("state.p".to_owned(), "wf.std.replace".to_owned()),
            ("state.p.name".to_owned(), "wf.std.replace".to_owned()),
            ("state.\"a.b\"".to_owned(), "wf.std.add".to_owned()),
        ]
    );
    assert_eq!(schema.fields()[1].default, Some(Value::from("x")));
}

#[test]
fn d12_recursive_definitions_are_fine_and_defaults_inside_definitions_count() {
    let schema: StateSchema = parsed(
        r##"{"$defs": {"N": {"type": "object", "default": {"v": 1}, "properties": {"v": {"type": "integer"},
            "next": {"$ref": "#/$defs/N"}}}}, "properties": {"n": {"$ref": "#/$defs/N"}, "m": {"$ref": "#/properties/n"}}}"##,
    );
    let fields: Vec<String> = schema.fields().iter().map(|field| field.path.to_string()).collect();
    assert_eq!(fields, ["state.n", "state.n.v", "state.n.next", "state.m", "state.m.v", "state.m.next"]);
    assert_eq!(schema.fields()[0].default, Some(json(r#"{"v": 1}"#)));
    assert_eq!(schema.fields()[3].default, Some(json(r#"{"v": 1}"#)));
}

#[test]
fn d12_null_valued_keywords_survive_a_dump() {
    canonical::<SchemaRef>(r#"{"properties": {}, "required": [], "const": null, "default": null}"#);
}

#[test]
fn d12_a_field_below_a_parent_that_is_no_object_is_refused() {
    let error = problems::<StateSchema>(
        r#"{"properties": {"a": {"type": "string", "properties": {"b": {"type": "string"}}}}}"#,
    );
    assert_eq!(error.problems[0].code, "state.parent_not_object");
    let error = problems::<StateSchema>(r#"{"type": "array"}"#);
    assert_eq!(error.problems[0].code, "state.not_object");
}

#[test]
fn d12_a_node_def_needs_outcomes() {
    let error = problems::<NodeDef>(r#"{"name": "n", "input_schema": {}, "output_schema": {}, "outcomes": []}"#);
    assert_eq!((error.problems[0].code, error.problems[0].path.as_str()), ("document.empty", "outcomes"));
}

#[test]
fn a_path_operand_wins_over_a_value_beside_it() {
    becomes::<Condition>(
        r#"{"op": "eq", "left": {"path": "state.a", "value": 1}, "right": {"value": null}}"#,
        r#"{"op": "eq", "left": {"path": "state.a"}, "right": {"value": null}}"#,
    );
}

#[test]
fn a_state_field_declaration_takes_a_type_for_a_schema() {
    becomes::<StateField>(
        r#"{"path": "state.a", "type": "string"}"#,
        r#"{"path": "state.a", "schema": {"type": "string", "properties": {}, "required": []},
            "reducer": {"ref": {"source": "wf.std", "capability_key": "replace"}, "config": {}}, "trace": true, "default": null}"#,
    );
}

#[test]
fn a_subgraph_step_needs_an_outcome() {
    let error = problems::<SubgraphStep>(r#"{"id": "s", "workflow": "c", "outcomes": []}"#);
    assert_eq!(error.problems[0].path, "outcomes");
}
