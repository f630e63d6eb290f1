//! The built-in reducers.

use std::sync::Arc;

use proptest::prelude::*;
use wf_core::document::{Document, ReducerRef, ReducerSpec, SiblingWritePolicy};
use wf_core::reducer::{BuiltinReducer, NoCustomReducers, Reducer, ReducerSet};
use wf_core::value::Value;

fn json(text: &str) -> Value {
    Value::parse_json(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// `current` is JSON text, or empty when the place holds nothing.
fn merge(name: &str, current: &str, incoming: &str) -> Result<Value, String> {
    let reducer = BuiltinReducer::from_name(&format!("wf.std.{name}")).expect("a built-in reducer");
    let current = (!current.is_empty()).then(|| json(current));
    let path = Arc::from("state.x");
    reducer.merge(current.as_ref(), &json(incoming), &path).map_err(|error| error.to_string())
}

#[test]
fn reducers_merge_as_specified() {
    let cases = [
        ("replace", "[1]", "2", "2"),
        ("replace", "", "null", "null"),
        ("append", "", "1", "[1]"),
        ("append", "null", "[1, 2]", "[1, 2]"),
        ("append", "", "null", "[null]"),
        ("append", "[1]", "2", "[1, 2]"),
        ("append", "[1]", "[2, 3]", "[1, 2, 3]"),
        ("append", "[1]", "null", "[1, null]"),
        ("merge_object", "", r#"{"a": 1}"#, r#"{"a": 1}"#),
        (
            "merge_object",
            r#"{"a": 1, "b": {"c": 1}}"#,
            r#"{"b": {"d": 2}, "z": 3}"#,
            r#"{"a": 1, "b": {"d": 2}, "z": 3}"#,
        ),
        ("add", "", r#""x""#, r#""x""#),
        ("add", "1", "2", "3"),
        ("add", "9223372036854775807", "1", "9223372036854775808"),
        ("add", "9223372036854775808", "-1", "9223372036854775807"),
        ("add", "1", "0.5", "1.5"),
        ("add", r#""a""#, r#""b""#, r#""ab""#),
        ("add", "[1]", "[2]", "[1, 2]"),
        ("set_union", "", "[1, 2, 1]", "[1, 2]"),
        ("set_union", "[3, 1, 3]", "[2, 1]", "[3, 1, 2]"),
        ("set_union", r#"[{"a": 1, "b": 2}]"#, r#"[{"b": 2, "a": 1.0}, [1]]"#, r#"[{"a": 1, "b": 2}, [1]]"#),
        ("max", "", "1", "1"),
        ("max", "1", "2", "2"),
        ("max", "2", "1.5", "2"),
        ("max", r#""a""#, r#""b""#, r#""b""#),
        ("max", "[1, 2]", "[1, 3]", "[1, 3]"),
    ];
    for (name, current, incoming, expected) in cases {
        let merged =
            merge(name, current, incoming).unwrap_or_else(|error| panic!("{name} {current} {incoming}: {error}"));
        assert_eq!(merged.to_json(), json(expected).to_json(), "{name} {current} {incoming}");
    }
}

#[test]
fn reducers_refuse_what_they_cannot_merge_and_name_the_place() {
    let cases = [
        ("append", "1", "2", "cannot append into non-list state value at 'state.x'"),
        ("merge_object", "", "1", "cannot merge non-object value at 'state.x'"),
        ("merge_object", "{}", "1", "merge_object requires dict values at 'state.x'"),
        ("merge_object", "1", "{}", "merge_object requires dict values at 'state.x'"),
        ("add", "1", r#""x""#, "unsupported operand type(s) for +: 'int' and 'str' at 'state.x'"),
        ("add", "1", "null", "unsupported operand type(s) for +: 'int' and 'NoneType' at 'state.x'"),
        ("add", "true", "1", "unsupported operand type(s) for +: 'bool' and 'int' at 'state.x'"),
        ("add", "{}", "{}", "unsupported operand type(s) for +: 'dict' and 'dict' at 'state.x'"),
        ("add", r#""x""#, "1", "can only concatenate str (not \"int\") to str at 'state.x'"),
        ("add", "[1]", "1", "can only concatenate list (not \"int\") to list at 'state.x'"),
        ("add", "1e308", "1e308", "JSON numbers must be finite at 'state.x'"),
        ("set_union", "[1]", "1", "set_union requires list values at 'state.x'"),
        ("set_union", "1", "[1]", "set_union requires list values at 'state.x'"),
    ];
    for (name, current, incoming, expected) in cases {
        assert_eq!(merge(name, current, incoming), Err(expected.to_owned()), "{name} {current} {incoming}");
    }
    let huge = format!("1{}", "0".repeat(400));
    assert_eq!(merge("add", &huge, "1.5"), Err("int too large to convert to float at 'state.x'".to_owned()));
}

#[test]
fn d9_ordering_values_of_different_kinds_is_an_error_that_names_both() {
    assert_eq!(
        merge("max", "1", r#""a""#),
        Err("'>' not supported between instances of 'str' and 'int' at 'state.x'".to_owned())
    );
    assert_eq!(
        merge("max", "{}", "{}"),
        Err("'>' not supported between instances of 'dict' and 'dict' at 'state.x'".to_owned())
    );
}

#[test]
fn d9_set_union_goes_by_json_equality() {
    assert_eq!(
        merge("set_union", "[1]", "[1.0, true, false, 0, -0.0]").map(|value| value.to_json()),
        Ok("[1,true,false,0]".to_owned())
    );
    // Exact, where a float would round.
    assert_eq!(
        merge("set_union", "[9007199254740993]", "[9007199254740992.0, 9007199254740993]").map(|value| value.to_json()),
        Ok("[9007199254740993,9007199254740992.0]".to_owned())
    );
    // The hash looks only so deep, but equality looks all the way.
    let deep = |leaf: &str| format!("{}{leaf}{}", "[".repeat(100), "]".repeat(100));
    let union = merge("set_union", &deep("1"), &deep("2")).expect("lists");
    assert_eq!(union.as_list().map(|list| list.len()), Some(2));
}

#[test]
fn uniting_long_lists_is_linear() {
    let path = Arc::from("state.x");
    let numbers = |from: i64| Value::List((from..from + 200_000).map(Value::Int).collect());
    let union = BuiltinReducer::SetUnion.merge(Some(&numbers(0)), &numbers(100_000), &path).expect("lists");
    // Quadratic work would not end within the runner's time limit.
    assert_eq!(union.as_list().map(|list| list.len()), Some(300_000));
}

#[test]
fn built_in_reducers_take_no_config_and_unknown_ones_are_refused() {
    let reference = |text: &str| ReducerRef::parse(&json(text)).expect("a reducer reference");
    let found = Reducer::find(&reference(r#""wf.std.max""#), &NoCustomReducers).expect("built in");
    assert_eq!((found.name(), found.sibling_writes()), ("wf.std.max", SiblingWritePolicy::Mergeable));
    let error = Reducer::find(&reference(r#"{"name": "wf.std.add", "config": {"x": 1}}"#), &NoCustomReducers);
    assert_eq!(
        error.expect_err("no config").to_string(),
        "reducer config for 'wf.std.add': Additional properties are not allowed ('x' was unexpected)"
    );
    let error = Reducer::find(&reference(r#""my.own""#), &NoCustomReducers).expect_err("unknown");
    assert_eq!((error.to_string().as_str(), error.code()), ("unknown reducer 'my.own'", "reducer.unknown"));
    assert_eq!(
        BuiltinReducer::ALL
            .map(BuiltinReducer::sibling_writes)
            .iter()
            .filter(|policy| **policy == SiblingWritePolicy::Exclusive)
            .count(),
        1
    );
}

struct One(ReducerSpec);

impl ReducerSet for One {
    fn spec(&self, name: &str) -> Option<&ReducerSpec> {
        (name == &*self.0.name).then_some(&self.0)
    }
}

#[test]
fn custom_reducers_come_first_and_have_their_config_checked() {
    let spec = r#"{"name": "wf.std.add", "sibling_write_policy": "exclusive",
        "config_schema": {"type": "object", "properties": {"by": {"type": "integer"}}, "required": ["by"]}}"#;
    let set = One(ReducerSpec::parse(&json(spec)).expect("a specification"));
    let reference = |text: &str| ReducerRef::parse(&json(text)).expect("a reducer reference");
    let found = Reducer::find(&reference(r#"{"name": "wf.std.add", "config": {"by": 2}}"#), &set).expect("known");
    let Reducer::Custom(custom) = &found else { panic!("the built-in one must not hide it") };
    assert_eq!(
        (custom.config.get("by"), found.sibling_writes()),
        (Some(&Value::Int(2)), SiblingWritePolicy::Exclusive)
    );
    let error = Reducer::find(&reference(r#""wf.std.add""#), &set).expect_err("`by` is missing");
    assert_eq!(error.to_string(), "reducer config for 'wf.std.add': 'by' is a required property");
}

fn value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (-3_i64..4).prop_map(Value::Int),
        Just(Value::Int(i64::MAX)),
        prop::sample::select(vec![0.5, 1.0, -0.0, 2.0]).prop_map(Value::Float),
        prop::sample::select(vec!["", "a", "b"]).prop_map(Value::from),
    ];
    scalar.prop_recursive(2, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((prop::sample::select(vec!["a", "b", "c"]), inner), 0..3)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn folding_many_values_is_merging_one_after_the_other(
        reducer in prop::sample::select(BuiltinReducer::ALL.to_vec()),
        current in prop::option::of(value()),
        incoming in prop::collection::vec(value(), 1..5),
    ) {
        let path = Arc::from("state.x");
        let mut one_by_one = Ok(current.clone());
        for value in &incoming {
            one_by_one = one_by_one.and_then(|place| reducer.merge(place.as_ref(), value, &path).map(Some));
        }
        let folded = reducer.fold(current.as_ref(), &incoming, &path).map(|merged| Some(merged.into_value(current.as_ref())));
        // Texts, so that the order of keys and the spelling of numbers count.
        let text = |result: Result<Option<Value>, _>| result.map(|value| value.map(|value| value.to_json()));
        prop_assert_eq!(text(folded), text(one_by_one));
    }
}
