//! Every issue that structural validation can find: its code, its path and its words.

use wf_core::document::{Document, ReducerSpec, StateSchema, Workflow, WorkflowRef};
use wf_core::reducer::ReducerSet;
use wf_core::validation::{Checks, IssueCode, Severity, SubgraphSet, ValidationReport, validate};
use wf_core::value::Value;

fn json(text: &str) -> Value {
    Value::parse_json(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn workflow(text: &str) -> Workflow {
    Workflow::parse(&json(text)).unwrap_or_else(|error| panic!("{error}"))
}

/// A workflow around some steps and edges; the first step is the start.
fn around(nodes: &str, edges: &str) -> Workflow {
    let first = json(&format!("[{nodes}]"));
    let start = first.as_list().and_then(|nodes| nodes[0].as_object()?.get("id")?.as_str()).expect("a first step");
    with_start(start, nodes, edges)
}

fn with_start(start: &str, nodes: &str, edges: &str) -> Workflow {
    let edges: Vec<String> = edges
        .split_whitespace()
        .map(|edge| {
            let [from, outcome, to] = edge.split(':').collect::<Vec<_>>().try_into().expect("from:outcome:to");
            format!(r#"{{"from": "{from}", "outcome": "{outcome}", "to": "{to}"}}"#)
        })
        .collect();
    workflow(&format!(
        r#"{{"name": "demo",
            "input_schema": {{"properties": {{"text": {{}}, "items": {{"type": "array"}}}}}},
            "state_schema": {{"properties": {{"result": {{}}, "errors": {{"type": "array"}}, "count": {{"type": "integer"}},
                "deep": {{"type": "object", "properties": {{"errors": {{"type": "array"}}}}}}}}}},
            "output_schema": {{"properties": {{"result": {{}}}}}},
            "node_defs": [{{"name": "demo.work", "input_schema": {{"properties": {{"x": {{}}, "y": {{}}}}}},
                "output_schema": {{"properties": {{"z": {{}}}}}}, "outcomes": ["ok", "again"]}}],
            "start": "{start}", "nodes": [{nodes}], "edges": [{}]}}"#,
        edges.join(", ")
    ))
}

fn report(workflow: &Workflow) -> ValidationReport {
    validate(workflow, &Checks::default())
}

/// The errors and warnings as `code path`.
fn found(workflow: &Workflow) -> Vec<String> {
    report(workflow).issues.iter().map(|issue| format!("{} {}", issue.code, issue.path)).collect()
}

#[track_caller]
fn only_issue(workflow: &Workflow, code: IssueCode, path: &str, message: &str) {
    let report = report(workflow);
    assert_eq!(report.issues.len(), 1, "{report}");
    let issue = &report.issues[0];
    assert_eq!((issue.code, issue.path.as_str(), issue.message.as_str()), (code, path, message));
}

const END_A: &str = r#"{"id": "a", "type": "end"}"#;
const JOIN_A: &str = r#"{"id": "a", "type": "join"}"#;

#[test]
fn a_sound_workflow_has_no_issues() {
    let workflow = around(
        r#"{"id": "a", "type": "node", "node": "demo.work", "input": [{"target": "x", "path": "input.text"},
             {"target": "y", "expression": {"kind": "object", "fields": {"k": {"kind": "path", "path": "context.prior_outcome"}}}}],
             "output": [{"source": "z", "target": "state.result"}]},
           {"id": "b", "type": "end"}"#,
        "a:ok:b a:again:a",
    );
    let report = report(&workflow);
    assert!(report.ok());
    assert_eq!(report.issues, []);
}

#[test]
fn names_that_occur_twice() {
    let mut twice = around(END_A, "");
    twice.node_defs.push(twice.node_defs[0].clone());
    only_issue(&twice, IssueCode::DuplicateNodeDef, "node_defs[1].name", "duplicate node def name 'demo.work'");

    let workflow = around(r#"{"id": "a", "type": "end"}, {"id": "a", "type": "end"}"#, "");
    only_issue(&workflow, IssueCode::DuplicateNodeId, "nodes[1].id", "duplicate node id 'a'");

    let workflow = around(r#"{"id": "a", "type": "join"}, {"id": "b", "type": "end"}"#, "a:done:b a:done:b");
    only_issue(&workflow, IssueCode::DuplicateEdge, "edges[1]", "duplicate edge for source 'a' and outcome 'done'");
}

#[test]
fn an_unknown_start_is_one_issue() {
    let workflow = with_start("b", END_A, "");
    only_issue(&workflow, IssueCode::UnknownStart, "start", "unknown start node 'b'");
    assert_eq!(
        report(&workflow).render(),
        "Workflow validation failed:\n- [unknown_start] start: unknown start node 'b'"
    );
    let workflow = with_start("__end__", END_A, "");
    only_issue(&workflow, IssueCode::UnknownStart, "start", "unknown start node '__end__'");
}

#[test]
fn edges_name_steps_and_outcomes_that_exist() {
    let workflow = around(JOIN_A, "a:done:__end__ b:done:__end__");
    only_issue(&workflow, IssueCode::UnknownEdgeSource, "edges[1].from", "unknown source node 'b'");
    let workflow = around(JOIN_A, "a:done:b");
    only_issue(&workflow, IssueCode::UnknownEdgeDestination, "edges[0].to", "unknown destination node 'b'");
    let workflow = around(JOIN_A, "a:done:__end__ a:don:__end__");
    only_issue(
        &workflow,
        IssueCode::UndeclaredEdgeOutcome,
        "edges[1].outcome",
        "outcome 'don' is not declared by node 'a'",
    );
    assert_eq!(report(&workflow).issues[0].hint.as_deref(), Some("did you mean 'done'?"));
    let workflow = around(r#"{"id": "a", "type": "end"}"#, "a:ok:__end__");
    only_issue(
        &workflow,
        IssueCode::UndeclaredEdgeOutcome,
        "edges[0].outcome",
        "outcome 'ok' is not declared by node 'a'",
    );
}

#[test]
fn missing_edges_are_listed_in_the_order_of_the_steps() {
    let workflow = around(
        r#"{"id": "a", "type": "node", "node": "demo.work"}, {"id": "c", "type": "condition", "check": {"op": "exists", "path": "input"}},
           {"id": "j", "type": "join"}"#,
        "a:ok:c c:true:j",
    );
    let report = report(&workflow);
    let found: Vec<(&str, &str)> =
        report.issues.iter().map(|issue| (issue.path.as_str(), issue.message.as_str())).collect();
    assert_eq!(
        found,
        [
            ("nodes[a]", "reachable node is missing edges for outcomes ['again']"),
            ("nodes[c]", "reachable node is missing edges for outcomes ['false']"),
            ("nodes[j]", "reachable node is missing edges for outcomes ['done']"),
        ]
    );
}

#[test]
fn workflow_outcomes_are_declared() {
    let mut workflow = around(r#"{"id": "a", "type": "end", "outcome": "no"}"#, "");
    only_issue(
        &workflow,
        IssueCode::UndeclaredWorkflowOutcome,
        "nodes[0].outcome",
        "workflow outcome 'no' is not declared",
    );
    workflow.outcomes = vec!["no".into()];
    assert!(report(&workflow).ok());

    let mut workflow = around(JOIN_A, "a:done:__end__");
    workflow.outcomes = vec!["no".into()];
    only_issue(
        &workflow,
        IssueCode::UndeclaredWorkflowOutcome,
        "edges[0].to",
        "legacy __end__ requires workflow outcome 'ok' to be declared",
    );
}

#[test]
fn an_edge_to_the_end_of_a_loop_body_needs_no_outcome() {
    let mut workflow = around(
        r#"{"id": "each", "type": "foreach", "over": "input.items", "as": "item"},
           {"id": "b", "type": "node", "node": "demo.work"}, {"id": "fin", "type": "end", "outcome": "no"}"#,
        "each:loop:b each:done:fin b:ok:__end__ b:again:__end__",
    );
    workflow.outcomes = vec!["no".into()];
    assert_eq!(found(&workflow), [""; 0]);
}

#[test]
fn a_node_step_needs_a_contract() {
    let workflow = around(r#"{"id": "a", "type": "node", "node": "demo.wrok"}"#, "");
    only_issue(&workflow, IssueCode::UnknownNodeDef, "nodes[0].node", "unknown node def 'demo.wrok'");
    assert_eq!(report(&workflow).issues[0].hint.as_deref(), Some("did you mean 'demo.work'?"));
}

#[test]
fn bindings_name_fields_that_exist() {
    let workflow = around(
        r#"{"id": "a", "type": "node", "node": "demo.work",
            "input": [{"target": "w.k", "path": "input.tex"}, {"target": "x", "path": "state.nothing.below"},
              {"target": "y", "expression": {"kind": "array", "items": [{"kind": "object", "fields": {"k": {"kind": "path", "path": "state.no"}}}]}}],
            "output": [{"source": "q", "target": "state.resul"}]}"#,
        "a:ok:__end__ a:again:__end__",
    );
    let report = report(&workflow);
    let source = "source path must start with input., state., or context. and reference a declared root field";
    let found: Vec<(&str, &str, &str)> =
        report.issues.iter().map(|issue| (issue.code.as_str(), issue.path.as_str(), issue.message.as_str())).collect();
    assert_eq!(
        found,
        [
            (
                "invalid_node_input_field",
                "nodes[0].input[0].target",
                "destination field 'w.k' is not declared in node input schema"
            ),
            ("invalid_source_path", "nodes[0].input[0].path", source),
            ("invalid_source_path", "nodes[0].input[1].path", source),
            ("invalid_source_path", "nodes[0].input[2].expression.items[0].fields.k.path", source),
            (
                "invalid_node_output_field",
                "nodes[0].output[0].source",
                "source field 'q' is not declared in node output schema"
            ),
            (
                "invalid_destination_path",
                "nodes[0].output[0].target",
                "destination path must start with state. and reference a declared root field"
            ),
        ]
    );
    assert_eq!(report.issues[1].hint.as_deref(), Some("did you mean 'text'?"));
    assert_eq!(report.issues[0].hint.as_deref(), Some("declared fields: 'x', 'y'"));
}

#[test]
fn bindings_keep_out_of_each_others_way() {
    let workflow = around(
        r#"{"id": "a", "type": "node", "node": "demo.work",
            "input": [{"target": "x.a.b", "value": 1}, {"target": "y", "value": 1}, {"target": "x.a", "value": 1}],
            "output": [{"source": "z", "target": "state.result"}, {"source": ".", "target": "state.result.k"}]}"#,
        "a:ok:__end__ a:again:__end__",
    );
    let report = report(&workflow);
    let found: Vec<(&str, &str, &str)> = report
        .issues
        .iter()
        .map(|issue| (issue.path.as_str(), issue.message.as_str(), issue.hint.as_deref().unwrap_or_default()))
        .collect();
    assert_eq!(
        found,
        [
            ("nodes[0].input", "input has overlapping node-local input paths", "'x.a.b' and 'x.a' overlap"),
            (
                "nodes[0].output",
                "output has overlapping state destination paths",
                "'state.result' and 'state.result.k' overlap"
            ),
        ]
    );
}

#[test]
fn the_workflow_output_fills_declared_fields_from_fields_that_exist() {
    let mut workflow = around(END_A, "");
    let bindings = json(
        r#"[{"target": "rsult", "path": "state.no"}, {"target": "result.a", "value": 1}, {"target": "result", "value": 2}]"#,
    );
    let mut document = workflow.dump();
    if let Value::Object(document) = &mut document {
        document.insert("output", bindings);
    }
    workflow = Workflow::parse(&document).expect("the shape is right");
    assert_eq!(
        found(&workflow),
        [
            "invalid_workflow_output_field output[0].target",
            "invalid_source_path output[0].path",
            "invalid_workflow_output_field output"
        ]
    );
    assert_eq!(report(&workflow).issues[0].message, "destination field is not declared in workflow output schema");
    assert_eq!(report(&workflow).issues[2].message, "workflow output has overlapping output payload paths");
}

#[test]
fn conditions_read_fields_that_exist() {
    let workflow = around(
        r#"{"id": "a", "type": "condition", "check": {"op": "or", "args": [
            {"op": "not", "arg": {"op": "exists", "path": "state.no"}},
            {"op": "eq", "left": {"path": "input.no"}, "right": {"path": "state.\"n o\""}}]}}"#,
        "a:true:__end__ a:false:__end__",
    );
    let report = report(&workflow);
    let found: Vec<(&str, &str)> =
        report.issues.iter().map(|issue| (issue.path.as_str(), issue.message.as_str())).collect();
    assert_eq!(
        found,
        [
            ("nodes[0].check.args[0].arg", "invalid condition path 'state.no'"),
            ("nodes[0].check.args[1].left", "invalid operand path 'input.no'"),
            ("nodes[0].check.args[1].right", "invalid operand path 'state.\"n o\"'"),
        ]
    );
    assert!(report.issues.iter().all(|issue| issue.code == IssueCode::InvalidConditionPath));
}

#[test]
fn a_condition_built_without_arguments_is_an_issue() {
    let mut workflow = around(
        r#"{"id": "a", "type": "condition", "check": {"op": "exists", "path": "input"}}"#,
        "a:true:__end__ a:false:__end__",
    );
    if let wf_core::document::Step::Condition(step) = &mut workflow.nodes[0] {
        step.check = wf_core::document::Condition::And(Vec::new());
    }
    only_issue(&workflow, IssueCode::EmptyConditionArgs, "nodes[0].check.args", "condition args must not be empty");
}

fn foreach(rest: &str) -> Workflow {
    around(
        &format!(r#"{{"id": "each", "type": "foreach", {rest}}}"#),
        "each:loop:__end__ each:done:__end__ each:completed_with_errors:__end__",
    )
}

#[test]
fn a_foreach_reads_and_collects_where_it_can() {
    let workflow = foreach(r#""over": "state.itms", "as": "item", "item_error": "skip""#);
    only_issue(
        &workflow,
        IssueCode::InvalidForeachSource,
        "nodes[0].over",
        "foreach source path must start with input. or state. and reference a declared root field, or start with context.",
    );
    for (target, message) in [
        ("state.no", "collect_to must start with state. and reference a declared state field"),
        ("state.count", "collect_to must reference a declared array state field"),
        ("state.errors.below", "collect_to must reference a declared array state field"),
    ] {
        let workflow = foreach(&format!(
            r#""over": "input.items", "as": "item", "item_error": {{"action": "collect", "collect_to": "{target}"}}"#
        ));
        only_issue(&workflow, IssueCode::InvalidForeachCollectDestination, "nodes[0].item_error.collect_to", message);
    }
    for target in ["state.errors", "state.deep.errors"] {
        let workflow = foreach(&format!(
            r#""over": "input.items", "as": "item", "item_error": {{"action": "collect", "collect_to": "{target}"}}"#
        ));
        assert_eq!(found(&workflow), [""; 0]);
    }
}

#[test]
fn d9_over_may_be_a_context_path() {
    let workflow = foreach(r#""over": "context.row.cells", "as": "cell", "item_error": "skip""#);
    assert_eq!(found(&workflow), [""; 0]);
}

#[test]
fn d9_an_alias_that_collides_is_an_error() {
    for alias in ["prior_outcome", "loop_item", "loop_index", "scope_id", "foreach"] {
        let workflow = foreach(&format!(r#""over": "input.items", "as": "{alias}", "item_error": "skip""#));
        only_issue(
            &workflow,
            IssueCode::InvalidForeachAlias,
            "nodes[0].as",
            &format!("foreach alias '{alias}' is a key of every context"),
        );
    }
    let workflow = foreach(r#""over": "input.items", "as": "", "item_error": "skip""#);
    only_issue(&workflow, IssueCode::InvalidForeachAlias, "nodes[0].as", "foreach alias '' is no name");
}

#[test]
fn d9_an_alias_of_an_enclosing_loop_is_taken() {
    let loops = |outer: &str, inner: &str| {
        around(
            &format!(
                r#"{{"id": "outer", "type": "foreach", "over": "input.items", "as": "{outer}"}},
                   {{"id": "work", "type": "node", "node": "demo.work"}},
                   {{"id": "inner", "type": "foreach", "over": "context.row", "as": "{inner}"}},
                   {{"id": "after", "type": "foreach", "over": "input.items", "as": "{outer}"}}"#
            ),
            "outer:loop:work work:ok:inner work:again:work inner:loop:__end__ inner:done:__end__ outer:done:after
             after:loop:__end__ after:done:__end__",
        )
    };
    assert_eq!(found(&loops("row", "cell")), [""; 0]);
    only_issue(
        &loops("row", "row"),
        IssueCode::InvalidForeachAlias,
        "nodes[2].as",
        "foreach alias 'row' is the alias of the enclosing foreach 'outer'",
    );
}

#[test]
fn d8_a_loop_edge_to_the_end_is_an_empty_body() {
    assert_eq!(found(&foreach(r#""over": "input.items", "as": "item", "item_error": "skip""#)), [""; 0]);
}

#[test]
fn d13_an_interrupt_is_checked_on_both_sides() {
    let workflow = around(
        r#"{"id": "ask", "type": "interrupt", "kind": "k", "outcomes": ["yes", "yes", " "],
            "request": [{"target": "a.b", "path": "state.no"}, {"target": "a", "value": 1}],
            "resume": [{"source": "x", "target": "state.no"}, {"source": "y", "target": "state.result.a"}, {"source": "z", "target": "state.result"}]}"#,
        "ask:yes:__end__ ask:%20:__end__",
    );
    let found = found(&workflow);
    assert_eq!(
        found,
        [
            "invalid_interrupt_source nodes[0].request[0].path",
            "invalid_interrupt_request_field nodes[0].request",
            "invalid_interrupt_destination nodes[0].resume[0].target",
            "invalid_interrupt_destination nodes[0].resume",
            "duplicate_outcome nodes[0].outcomes[1]",
            "empty_outcome nodes[0].outcomes[2]",
            "undeclared_edge_outcome edges[1].outcome",
            "missing_outcome_edge nodes[ask]",
        ]
    );
    assert!(
        report(&workflow).issues[0]
            .message
            .starts_with("interrupt request source must start with input., state., or context. ")
    );
    assert!(report(&workflow).issues[2].message.starts_with("interrupt resume destination must start with state."));
}

#[test]
fn d13_an_interrupt_without_outcomes_could_never_be_resumed() {
    let workflow = around(r#"{"id": "ask", "type": "interrupt", "kind": "k", "outcomes": []}"#, "");
    only_issue(
        &workflow,
        IssueCode::NoOutcomes,
        "nodes[0].outcomes",
        "interrupt has no outcomes, so nothing could resume it",
    );
}

#[test]
fn d13_outcomes_are_neither_blank_nor_named_twice() {
    let mut workflow = around(END_A, "");
    workflow.outcomes = vec!["ok".into(), "ok".into()];
    workflow.node_defs[0].outcomes = vec!["".into(), "ok".into()];
    assert_eq!(found(&workflow), ["empty_outcome node_defs[0].outcomes[0]", "duplicate_outcome outcomes[1]"]);
}

#[test]
fn d13_reserved_ids_are_refused() {
    let workflow = around(
        r#"{"id": "a", "type": "end"}, {"id": "__end__", "type": "end"}, {"id": "__start__", "type": "end"}"#,
        "",
    );
    let errors: Vec<String> =
        report(&workflow).errors().map(|issue| format!("{} {}", issue.path, issue.message)).collect();
    assert_eq!(errors, ["nodes[1].id node id '__end__' is reserved", "nodes[2].id node id '__start__' is reserved"]);
}

#[test]
fn d13_unreachable_steps_are_warnings() {
    let workflow = around(r#"{"id": "a", "type": "end"}, {"id": "b", "type": "join"}"#, "b:done:a");
    let report = report(&workflow);
    assert!(report.ok());
    let warnings: Vec<(IssueCode, &str)> = report.warnings().map(|issue| (issue.code, issue.path.as_str())).collect();
    assert_eq!(warnings, [(IssueCode::UnreachableStep, "nodes[1]")]);
    assert_eq!(report.issues[0].severity, Severity::Warning);
    assert_eq!(report.render(), "Workflow validation failed:");
}

#[test]
fn d13_a_cycle_without_a_way_out_is_a_warning() {
    let workflow = around(r#"{"id": "a", "type": "join"}, {"id": "b", "type": "join"}"#, "a:done:b b:done:a");
    let report = report(&workflow);
    assert!(report.ok());
    assert_eq!(found(&workflow), ["endless_cycle nodes[0]"]);
    assert_eq!(report.issues[0].message, "from node 'a' no end can be reached");
}

struct One(Workflow);

impl SubgraphSet for One {
    fn workflow(&self, reference: &WorkflowRef) -> Option<&Workflow> {
        (*reference == WorkflowRef::Name("child".into())).then_some(&self.0)
    }

    fn names(&self) -> Vec<String> {
        vec!["child".to_owned()]
    }
}

#[test]
fn d13_subgraph_steps_are_checked_against_their_workflows() {
    let mut child = around(END_A, "");
    child.outcomes = vec!["ok".into(), "rejected".into()];
    let children = One(child);
    let checks = Checks { subgraphs: Some(&children), ..Checks::default() };
    let step = |name: &str, outcomes: &str, edges: &str| {
        around(
            &format!(
                r#"{{"id": "s", "type": "subgraph", "workflow": "{name}", "outcomes": {outcomes},
                    "input_schema": {{"type": "object", "properties": {{"text": {{}}}}}}, "input": [{{"target": "text", "path": "input.text"}}]}}"#
            ),
            edges,
        )
    };
    let found = |workflow: &Workflow| -> Vec<String> {
        validate(workflow, &checks).issues.iter().map(ToString::to_string).collect()
    };
    assert_eq!(found(&step("child", r#"["ok", "rejected"]"#, "s:ok:__end__ s:rejected:__end__")), [""; 0]);
    assert_eq!(
        found(&step("chld", r#"["ok"]"#, "s:ok:__end__")),
        ["[unknown_subgraph] nodes[0].workflow: no prepared child workflow registered for 'chld'"]
    );
    assert_eq!(
        found(&step("child", r#"["ok", "lost"]"#, "s:ok:__end__ s:lost:__end__")),
        [
            "[undeclared_subgraph_outcome] nodes[0].outcomes: outcome 'rejected' of child workflow 'child' is not declared by node 's'",
            "[impossible_subgraph_outcome] nodes[0].outcomes[1]: child workflow 'child' never ends with outcome 'lost'",
        ]
    );
}

struct Reducers(ReducerSpec);

impl ReducerSet for Reducers {
    fn spec(&self, name: &str) -> Option<&ReducerSpec> {
        (name == self.0.name.as_ref()).then_some(&self.0)
    }
}

#[test]
fn d13_reducers_and_their_configuration_are_checked_when_they_are_known() {
    let mut workflow = around(END_A, "");
    workflow.state_schema = StateSchema::parse(&json(
        r#"{"properties": {"a": {"reducer": "wf.std.ad"}, "b": {"properties": {"c d": {"reducer": {"ref": "my.sum", "config": {"step": "x"}}}}},
            "e": {"reducer": {"ref": "my.sum", "config": {"step": 1}}}, "f": {"reducer": {"ref": "wf.std.add", "config": {"k": 1}}}}}"#,
    ))
    .expect("the shape is right");
    assert_eq!(found(&workflow), [""; 0]);
    let spec = ReducerSpec::parse(&json(
        r#"{"name": "my.sum", "config_schema": {"type": "object", "properties": {"step": {"type": "integer"}}}}"#,
    ));
    let reducers = Reducers(spec.expect("the shape is right"));
    let report = validate(&workflow, &Checks { reducers: Some(&reducers), ..Checks::default() });
    let found: Vec<String> = report.issues.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "[unknown_reducer] state_schema.properties.a.reducer: unknown reducer 'wf.std.ad'",
            "[invalid_reducer_config] state_schema.properties.b.properties.\"c d\".reducer: reducer config for 'my.sum'['step']: 'x' is not of type 'integer'",
            "[invalid_reducer_config] state_schema.properties.f.reducer: reducer config for 'wf.std.add': Additional properties are not allowed ('k' was unexpected)",
        ]
    );
    assert_eq!(report.issues[0].hint.as_deref(), Some("did you mean 'wf.std.add'?"));
}

#[test]
fn every_code_has_a_place_in_a_fixed_order() {
    let codes: Vec<&str> = IssueCode::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(
        codes[..21],
        [
            "duplicate_node_def",
            "duplicate_node_id",
            "unknown_start",
            "duplicate_edge",
            "unknown_edge_source",
            "unknown_edge_destination",
            "undeclared_edge_outcome",
            "missing_outcome_edge",
            "undeclared_workflow_outcome",
            "unknown_node_def",
            "invalid_node_input_field",
            "invalid_source_path",
            "invalid_node_output_field",
            "invalid_workflow_output_field",
            "invalid_destination_path",
            "empty_condition_args",
            "invalid_condition_path",
            "invalid_foreach_source",
            "invalid_foreach_collect_destination",
            "invalid_interrupt_source",
            "invalid_interrupt_destination",
        ]
    );
}
