//! Conditions.

use wf_core::document::{Condition, Document};
use wf_core::eval::{View, eval_condition};
use wf_core::value::{Object, Value};

fn json(text: &str) -> Value {
    Value::parse_json(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn object(text: &str) -> Object {
    json(text).as_object().cloned().unwrap_or_else(|| panic!("no object: {text}"))
}

fn holds(condition: &str) -> Result<bool, String> {
    let input = object(r#"{"limit": 3}"#);
    let state = object(r#"{"count": 2, "nothing": null, "text": "b", "list": [1, 2], "flag": true}"#);
    let context = object(r#"{"prior_outcome": "again", "item": {"n": 1}, "foreach": {"each": {"index": 0}}}"#);
    let condition = Condition::parse(&json(condition)).unwrap_or_else(|error| panic!("{error}"));
    let view = View { input: &input, state: &state, context: &context };
    eval_condition(&condition, &view).map_err(|error| error.to_string())
}

fn compare(op: &str, left: &str, right: &str) -> Result<bool, String> {
    holds(&format!(r#"{{"op": "{op}", "left": {left}, "right": {right}}}"#))
}

#[test]
fn conditions_decide_as_specified() {
    let cases = [
        (r#"{"op": "exists", "path": "state.count"}"#, true),
        (r#"{"op": "exists", "path": "state.nothing"}"#, true),
        (r#"{"op": "exists", "path": "state.missing"}"#, false),
        (r#"{"op": "exists", "path": "state"}"#, true),
        (r#"{"op": "not", "arg": {"op": "exists", "path": "state.count"}}"#, false),
        (
            r#"{"op": "and", "args": [{"op": "exists", "path": "state.count"}, {"op": "exists", "path": "state.no"}]}"#,
            false,
        ),
        (
            r#"{"op": "or", "args": [{"op": "exists", "path": "state.count"}, {"op": "exists", "path": "state.no"}]}"#,
            true,
        ),
        (
            r#"{"op": "and", "args": [{"op": "exists", "path": "state.count"},
                {"op": "not", "arg": {"op": "ge", "left": {"path": "state.count"}, "right": {"path": "input.limit"}}}]}"#,
            true,
        ),
    ];
    for (condition, expected) in cases {
        assert_eq!(holds(condition), Ok(expected), "{condition}");
    }
}

#[test]
fn operands_compare_within_their_kind() {
    let number = |op: &str, right: &str| compare(op, r#"{"path": "state.count"}"#, &format!(r#"{{"value": {right}}}"#));
    for (op, expected) in [
        ("eq", [false, true, false]),
        ("ne", [true, false, true]),
        ("gt", [true, false, false]),
        ("ge", [true, true, false]),
        ("lt", [false, false, true]),
        ("le", [false, true, true]),
    ] {
        assert_eq!([number(op, "1.5"), number(op, "2.0"), number(op, "3")], expected.map(Ok), "{op}");
    }
    assert_eq!(compare("lt", r#"{"value": "a"}"#, r#"{"path": "state.text"}"#), Ok(true));
    assert_eq!(compare("lt", r#"{"path": "state.list"}"#, r#"{"value": [1, 3]}"#), Ok(true));
}

#[test]
fn d9_equality_is_json_equality() {
    assert_eq!(compare("eq", r#"{"value": 1}"#, r#"{"value": 1.0}"#), Ok(true));
    assert_eq!(compare("eq", r#"{"path": "state.flag"}"#, r#"{"value": 1}"#), Ok(false));
    assert_eq!(compare("ne", r#"{"value": 0}"#, r#"{"value": false}"#), Ok(true));
    assert_eq!(compare("eq", r#"{"value": {"a": 1, "b": [2]}}"#, r#"{"value": {"b": [2.0], "a": 1}}"#), Ok(true));
    assert_eq!(compare("eq", r#"{"value": "1"}"#, r#"{"value": 1}"#), Ok(false));
}

#[test]
fn d9_ordering_values_of_different_kinds_is_an_error_that_names_both() {
    assert_eq!(
        compare("gt", r#"{"path": "state.text"}"#, r#"{"value": 1}"#),
        Err("'>' not supported between instances of 'str' and 'int'".to_owned())
    );
    assert_eq!(
        compare("le", r#"{"path": "state.flag"}"#, r#"{"value": 1}"#),
        Err("'<=' not supported between instances of 'bool' and 'int'".to_owned())
    );
    assert_eq!(
        compare("lt", r#"{"path": "state.nothing"}"#, r#"{"value": 1}"#),
        Err("'<' not supported between instances of 'NoneType' and 'int'".to_owned())
    );
}

#[test]
fn d9_conditions_see_the_whole_context() {
    assert_eq!(compare("eq", r#"{"path": "context.prior_outcome"}"#, r#"{"value": "again"}"#), Ok(true));
    assert_eq!(compare("eq", r#"{"path": "context.item.n"}"#, r#"{"value": 1}"#), Ok(true));
    assert_eq!(compare("eq", r#"{"path": "context.foreach.each.index"}"#, r#"{"value": 0}"#), Ok(true));
    assert_eq!(holds(r#"{"op": "exists", "path": "context.item"}"#), Ok(true));
}

#[test]
fn every_part_is_evaluated_so_an_error_does_not_depend_on_the_data() {
    let missing = r#"{"op": "eq", "left": {"path": "state.missing"}, "right": {"value": 1}}"#;
    let error = Err("path 'state.missing' could not be resolved".to_owned());
    let decided = r#"{"op": "exists", "path": "state.count"}"#;
    assert_eq!(holds(&format!(r#"{{"op": "or", "args": [{decided}, {missing}]}}"#)), error);
    assert_eq!(holds(&format!(r#"{{"op": "and", "args": [{{"op": "not", "arg": {decided}}}, {missing}]}}"#)), error);
}
