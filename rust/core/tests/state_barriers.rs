//! Barriers: what several siblings wrote becomes one patch.

use wf_core::document::{Document, ReducerSpec, StateSchema};
use wf_core::path::StatePath;
use wf_core::reducer::{NoCustomReducers, ReducerSet};
use wf_core::state::{SiblingWrite, Staged, StateError, StateLayout};
use wf_core::value::{Object, Value};

fn json(text: &str) -> Value {
    Value::parse_json(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn object(text: &str) -> Object {
    json(text).as_object().cloned().unwrap_or_else(|| panic!("no object: {text}"))
}

fn layout(properties: &str, reducers: &dyn ReducerSet) -> StateLayout {
    let schema = StateSchema::parse(&json(&format!(r#"{{"properties": {properties}}}"#)));
    StateLayout::compile(&schema.unwrap_or_else(|error| panic!("{error}")), reducers)
        .unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn sibling_writes(layout: &StateLayout, writes: &[(u32, &str, &str)]) -> Vec<SiblingWrite> {
    writes
        .iter()
        .map(|(sibling, to, value)| SiblingWrite {
            sibling: *sibling,
            target: layout.target(&StatePath::parse(to).expect("a path")),
            incoming: json(value),
        })
        .collect()
}

fn merge(layout: &StateLayout, base: &str, writes: &[(u32, &str, &str)]) -> Result<String, StateError> {
    let mut state = object(base);
    match layout.merge_siblings(&state, sibling_writes(layout, writes))? {
        Staged::Ready(patch) => patch.apply(&mut state)?,
        Staged::NeedsReduce(_) => panic!("no custom reducers here"),
    }
    Ok(Value::Object(state).to_json())
}

const FIELDS: &str = r#"{"n": {"type": "integer", "reducer": "wf.std.add"}, "log": {"reducer": "wf.std.append"},
    "seen": {"reducer": "wf.std.set_union"}, "one": {}, "o": {"type": "object", "properties": {"k": {"reducer": "wf.std.max"}}}}"#;

#[test]
fn writes_are_replayed_in_the_order_of_the_siblings() {
    let layout = layout(FIELDS, &NoCustomReducers);
    let writes: &[_] = &[
        (0, "state.n", "1"),
        (0, "state.log", r#""a""#),
        (0, "state.one", "true"),
        (1, "state.n", "2"),
        (1, "state.log", r#"["b", "c"]"#),
        (1, "state.seen", "[2, 1]"),
        (1, "state.o.k", "4"),
        (2, "state.seen", "[1.0, 3]"),
        (2, "state.o.k", "3"),
    ];
    assert_eq!(
        merge(&layout, r#"{"n": 100, "log": ["B"]}"#, writes).expect("mergeable"),
        r#"{"n":103,"log":["B","a","b","c"],"one":true,"seen":[2,1,3],"o":{"k":4}}"#
    );
}

#[test]
fn several_siblings_need_a_declared_field_with_a_mergeable_reducer() {
    let layout = layout(FIELDS, &NoCustomReducers);
    for place in ["state.one", "state.undeclared", "state.o.undeclared", "state.o"] {
        let error = merge(&layout, "{}", &[(0, place, "{}"), (3, place, "{}")]).expect_err("a conflict");
        assert_eq!(error.to_string(), format!("multiple sibling writes to '{place}' require a mergeable reducer"));
        assert_eq!(error.code(), "state.sibling_conflict");
    }
}

#[test]
fn siblings_must_not_write_within_each_others_places() {
    let layout = layout(FIELDS, &NoCustomReducers);
    for (first, second) in [("state.o", "state.o.a.b"), ("state.o.a.b", "state.o"), ("state.x.\"y.z\"", "state.x")] {
        let error = merge(&layout, "{}", &[(0, first, "{}"), (0, "state.n", "1"), (1, second, "{}")]);
        assert_eq!(
            error.expect_err("an overlap").to_string(),
            format!("overlapping sibling writes are not supported at a foreach barrier: '{first}' and '{second}'")
        );
    }
    // Neighbours are none of each other's business.
    assert!(merge(&layout, "{}", &[(0, "state.o.a", "1"), (1, "state.o.b", "1"), (2, "state.o.ab", "1")]).is_ok());
}

#[test]
fn writes_of_one_sibling_never_conflict_with_each_other() {
    let layout = layout(FIELDS, &NoCustomReducers);
    let writes: &[_] = &[
        (0, "state.o", r#"{"a": 1}"#),
        (0, "state.o.b", "2"),
        (0, "state.one", "1"),
        (0, "state.o", r#"{"c": 3}"#),
        (0, "state.o.d", "4"),
        (0, "state.one", "2"),
        (0, "state.o.k", "5"),
        (0, "state.o.k", "4"),
        (1, "state.n", "1"),
    ];
    assert_eq!(
        merge(&layout, r#"{"n": 1}"#, writes).expect("one sibling"),
        r#"{"n":2,"o":{"c":3,"d":4,"k":5},"one":2}"#
    );
}

#[test]
fn a_merge_is_checked_once_all_writes_are_in() {
    let layout = layout(
        r#"{"pair": {"type": "array", "minItems": 2, "reducer": "wf.std.append"}, "n": {"maximum": 5, "reducer": "wf.std.add"}}"#,
        &NoCustomReducers,
    );
    assert_eq!(
        merge(&layout, "{}", &[(0, "state.pair", "1"), (1, "state.pair", "2")]).expect("two items in the end"),
        r#"{"pair":[1,2]}"#
    );
    assert_eq!(merge(&layout, "{}", &[(0, "state.n", "9"), (1, "state.n", "-5")]).expect("4 in the end"), r#"{"n":4}"#);
    let error = merge(&layout, "{}", &[(0, "state.n", "3"), (1, "state.n", "3")]).expect_err("6 in the end");
    assert_eq!(error.to_string(), "state write state.n: 6 is greater than the maximum of 5");
}

#[test]
fn nothing_written_is_nothing_to_apply() {
    let layout = layout(FIELDS, &NoCustomReducers);
    assert_eq!(merge(&layout, r#"{"n": 1}"#, &[]).expect("nothing"), r#"{"n":1}"#);
}

struct Custom(ReducerSpec);

impl ReducerSet for Custom {
    fn spec(&self, name: &str) -> Option<&ReducerSpec> {
        (name == "my.last").then_some(&self.0)
    }
}

#[test]
fn custom_reducers_get_all_values_of_a_place_at_once_and_later_rounds_see_the_result() {
    let custom = Custom(ReducerSpec::parse(&json(r#"{"name": "my.last"}"#)).expect("a specification"));
    let layout = layout(
        r#"{"a": {"reducer": "my.last"}, "b": {"reducer": "my.last"}, "n": {"reducer": "wf.std.add"}}"#,
        &custom,
    );
    let state = object(r#"{"a": 0, "n": 1}"#);
    let writes = sibling_writes(
        &layout,
        &[
            (0, "state.a", r#"{"x": 1}"#),
            (0, "state.a.y", "2"),
            (0, "state.b", "3"),
            (1, "state.b", "4"),
            (1, "state.n", "5"),
        ],
    );
    let Ok(Staged::NeedsReduce(pending)) = layout.merge_siblings(&state, writes) else { panic!("two custom folds") };
    let folds: Vec<String> = pending
        .folds()
        .iter()
        .map(|fold| format!("{} {} {:?}", fold.target.text(), fold.current.to_json(), fold.incoming))
        .collect();
    assert_eq!(folds, [r#"state.a 0 [{"x":1}]"#, "state.b null [3, 4]"]);
    let Ok(Staged::Ready(patch)) = pending.resolve(&layout, &state, vec![json(r#"{"x": 1}"#), json("4")]) else {
        panic!("the next round is built in")
    };
    let mut after = state.clone();
    patch.apply(&mut after).expect("the state it was staged on");
    assert_eq!(Value::Object(after).to_json(), r#"{"a":{"x":1,"y":2},"n":6,"b":4}"#);
}

#[test]
fn a_hundred_thousand_siblings_are_merged_in_linear_time() {
    let layout = layout(FIELDS, &NoCustomReducers);
    let targets = ["state.n", "state.log", "state.seen", "state.o.k"]
        .map(|path| layout.target(&StatePath::parse(path).expect("a path")));
    let writes = (0..100_000_u32).flat_map(|sibling| {
        let number = Value::Int(i64::from(sibling));
        let list = Value::List([number.clone()].into_iter().collect());
        let [n, log, seen, k] = targets.clone();
        [
            SiblingWrite { sibling, target: n, incoming: Value::Int(1) },
            SiblingWrite { sibling, target: log, incoming: number.clone() },
            SiblingWrite { sibling, target: seen, incoming: list },
            SiblingWrite { sibling, target: k, incoming: number },
        ]
    });
    let mut state = object(r#"{"n": 1, "log": [], "seen": [0, 1, 2]}"#);
    // The runner's time limit is the assertion: anything quadratic takes minutes.
    let Ok(Staged::Ready(patch)) = layout.merge_siblings(&state, writes) else { panic!("mergeable") };
    patch.apply(&mut state).expect("the state it was staged on");
    let length = |key: &str| state.get(key).and_then(Value::as_list).map(|list| list.len());
    assert_eq!(
        (state.get("n"), length("log"), length("seen")),
        (Some(&Value::Int(100_001)), Some(100_000), Some(100_000))
    );
}
