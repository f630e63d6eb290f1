//! Limits of expressions and conditions.

use wf_core::document::{
    Condition, Document, Expression, InputBinding, MAX_CONDITION_DEPTH, MAX_EXPRESSION_DEPTH, MAX_EXPRESSION_NODES,
};
use wf_core::value::Value;

fn json(text: &str) -> Value {
    Value::parse_json(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn expression(text: &str) -> Result<InputBinding, (&'static str, String, String)> {
    let binding = json(&format!(r#"{{"target": "x", "expression": {text}}}"#));
    InputBinding::parse(&binding).map_err(|error| {
        let problem = error.problems.into_iter().next().expect("a problem");
        (problem.code, problem.path, problem.message)
    })
}

fn nested_arrays(levels: usize) -> String {
    let open = r#"{"kind": "array", "items": ["#;
    format!("{}{}{}", open.repeat(levels - 1), r#"{"kind": "array", "items": []}"#, "]}".repeat(levels - 1))
}

fn literals(count: usize) -> String {
    format!(r#"{{"kind": "array", "items": [{}]}}"#, vec![r#"{"kind": "literal", "value": 1}"#; count].join(", "))
}

fn literal_lists(levels: usize) -> String {
    format!(r#"{{"kind": "literal", "value": {}{}}}"#, "[".repeat(levels), "]".repeat(levels))
}

#[test]
fn expressions_are_at_most_64_deep() {
    assert_eq!(MAX_EXPRESSION_DEPTH, 64);
    assert!(expression(&nested_arrays(64)).is_ok());
    let (code, path, message) = expression(&nested_arrays(65)).expect_err("too deep");
    assert_eq!((code, path.as_str()), ("expression.depth", "expression"));
    assert_eq!(message, format!("input expression depth limit exceeded at expression{}", ".items[0]".repeat(64)));
}

#[test]
fn expressions_have_at_most_1024_nodes() {
    assert_eq!(MAX_EXPRESSION_NODES, 1024);
    assert!(expression(&literals(1023)).is_ok());
    let (code, _, message) = expression(&literals(1024)).expect_err("too many");
    assert_eq!(code, "expression.nodes");
    assert_eq!(message, "input expression node limit exceeded at expression.items[1023]");
}

#[test]
fn the_containers_of_literals_count_too() {
    assert!(expression(&literal_lists(63)).is_ok());
    let (_, _, message) = expression(&literal_lists(64)).expect_err("too deep");
    assert_eq!(message, format!("input expression depth limit exceeded at expression.value{}", "[0]".repeat(63)));
    let text = r#"{"kind": "object", "fields": {"k": {"kind": "literal", "value": {"a": [1, 2, {}]}}}}"#;
    assert!(expression(text).is_ok());
    let many = format!(r#"{{"kind": "literal", "value": [{}]}}"#, vec!["{}"; 1023].join(", "));
    let (_, _, message) = expression(&many).expect_err("too many");
    assert_eq!(message, "input expression node limit exceeded at expression.value[1022]");
}

#[test]
fn a_built_expression_cannot_bypass_the_limits() {
    let mut built = Expression::Array(Vec::new());
    for _ in 0..64 {
        built = Expression::Array(vec![built]);
    }
    let error = Expression::parse(&built.dump()).expect_err("too deep");
    assert_eq!(error.problems[0].code, "expression.depth");
}

#[test]
fn what_is_wrong_inside_an_expression_is_named() {
    let error = InputBinding::parse(&json(
        r#"{"target": "x", "expression": {"kind": "object", "fields": {
            "a b": {"kind": "arry", "items": []}, "c": {"kind": "array", "items": [{"kind": "path", "path": "x"}, 1]},
            "d": {"kind": "literal", "value": 1, "vlue": 2}, "e": {"kind": "object"}}}}"#,
    ))
    .expect_err("wrong");
    let found: Vec<(&str, &str)> = error.problems.iter().map(|problem| (problem.code, problem.path.as_str())).collect();
    assert_eq!(
        found,
        [
            ("document.value", "expression.fields.\"a b\".kind"),
            ("path.root", "expression.fields.c.items[0].path"),
            ("document.type", "expression.fields.c.items[1]"),
            ("document.unknown_field", "expression.fields.d.vlue"),
            ("document.missing", "expression.fields.e.fields"),
        ]
    );
}

#[test]
fn conditions_are_at_most_100_deep() {
    assert_eq!(MAX_CONDITION_DEPTH, 100);
    let nested = |levels: usize| {
        let open = r#"{"op": "not", "arg": "#.repeat(levels - 1);
        json(&format!(r#"{open}{{"op": "exists", "path": "state.a"}}{}"#, "}".repeat(levels - 1)))
    };
    assert!(Condition::parse(&nested(100)).is_ok());
    let error = Condition::parse(&nested(101)).expect_err("too deep");
    assert_eq!(error.problems[0].code, "condition.depth");
    let place = vec!["arg"; 100].join(".");
    assert_eq!(error.problems[0].message, format!("condition depth limit exceeded at {place}"));
}

#[test]
fn what_is_wrong_inside_a_condition_is_named() {
    let error = Condition::parse(&json(
        r#"{"op": "and", "args": [{"op": "exist", "path": "state.a"}, {"op": "or", "args": []},
            {"op": "eq", "left": 1, "right": {}}, {"op": "not"}, {"path": "state.a"}]}"#,
    ))
    .expect_err("wrong");
    let found: Vec<(&str, &str)> = error.problems.iter().map(|problem| (problem.code, problem.path.as_str())).collect();
    assert_eq!(
        found,
        [
            ("document.value", "args[0].op"),
            ("document.empty", "args[1].args"),
            ("document.type", "args[2].left"),
            ("condition.operand", "args[2].right"),
            ("document.missing", "args[3].arg"),
            ("document.missing", "args[4].op"),
        ]
    );
    assert_eq!(error.problems[0].hint.as_deref(), Some("did you mean 'exists'?"));
}
