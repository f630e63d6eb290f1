//! The law of staged writes: they are as if everything had been copied, written and checked whole.

use std::cmp::Reverse;
use std::sync::Arc;

use proptest::prelude::*;
use wf_core::document::{Document, StateSchema};
use wf_core::path::{StatePath, parts_overlap};
use wf_core::reducer::{BuiltinReducer, NoCustomReducers};
use wf_core::schema::CompiledSchema;
use wf_core::state::{SiblingWrite, Staged, StateLayout, StateWrite};
use wf_core::value::{Object, Value};

fn reducer() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "wf.std.replace",
        "wf.std.append",
        "wf.std.merge_object",
        "wf.std.add",
        "wf.std.set_union",
        "wf.std.max",
    ])
}

fn key() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["a", "b", "c"])
}

fn value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (-2_i64..3).prop_map(Value::Int),
        Just(Value::Float(0.5)),
        prop::sample::select(vec!["", "x"]).prop_map(Value::from),
    ];
    scalar.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((key(), inner), 0..3)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// A schema of a field; objects have fields of their own.
fn field() -> impl Strategy<Value = Object> {
    let leaf = prop_oneof![
        Just("{}"),
        Just(r#"{"type": "integer"}"#),
        Just(r#"{"type": ["string", "null"]}"#),
        Just(r#"{"type": "array", "items": {"type": "integer"}}"#),
        Just(r#"{"type": "array", "maxItems": 2}"#),
        Just(r#"{"type": "array", "uniqueItems": true}"#),
        Just(r#"{"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]}"#),
        Just(r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#),
        Just(r#"{"enum": [1, [1], {"a": 1}]}"#),
        Just(r#"{"not": {"required": ["a"]}}"#),
    ]
    .prop_map(|text| Value::parse_json(text).ok().and_then(|value| value.as_object().cloned()).unwrap_or_default());
    let with_reducer = (leaf, reducer()).prop_map(|(mut schema, reducer)| {
        schema.insert("reducer", reducer);
        schema
    });
    let limits = prop::sample::select(vec![
        "{}",
        r#"{"required": ["a"]}"#,
        r#"{"additionalProperties": false}"#,
        r#"{"maxProperties": 1}"#,
        r#"{"dependentRequired": {"a": ["b"]}}"#,
        r#"{"oneOf": [{"type": "object"}, {"type": "null"}]}"#,
        r#"{"anyOf": [{"required": ["a"]}, {"maxProperties": 1}]}"#,
        r#"{"unevaluatedProperties": false}"#,
        r#"{"if": {"required": ["a"]}, "then": {"required": ["b"]}}"#,
    ]);
    with_reducer.prop_recursive(2, 8, 3, move |inner| {
        (prop::collection::vec((key(), inner), 1..3), limits.clone(), reducer(), any::<bool>()).prop_map(
            |(properties, limits, reducer, typed)| {
                let mut schema: Object =
                    [("properties", properties.into_iter().collect::<Object>())].into_iter().collect();
                if let Ok(Value::Object(limits)) = Value::parse_json(limits) {
                    for (key, value) in &limits {
                        schema.insert(key.clone(), value.clone());
                    }
                }
                if typed {
                    schema.insert("type", "object");
                }
                schema.insert("reducer", reducer);
                schema
            },
        )
    })
}

fn schema() -> impl Strategy<Value = Object> {
    prop::collection::vec((key(), field()), 1..4)
        .prop_map(|properties| [("properties", properties.into_iter().collect::<Object>())].into_iter().collect())
}

fn path() -> impl Strategy<Value = StatePath> {
    prop::collection::vec(key(), 1..4).prop_map(|parts| StatePath::new(parts).expect("segments are fine"))
}

fn get<'s>(state: &'s Object, parts: &[Arc<str>]) -> Option<&'s Value> {
    let (first, rest) = parts.split_first()?;
    rest.iter().try_fold(state.get(first)?, |value, part| value.as_object()?.get(part))
}

fn set(state: &mut Object, parts: &[Arc<str>], value: Value) -> Result<(), String> {
    let Some((first, rest)) = parts.split_first() else { return Ok(()) };
    if rest.is_empty() {
        state.insert(first.clone(), value);
        return Ok(());
    }
    let mut inner = match state.get(first) {
        None | Some(Value::Null) => Object::new(),
        Some(Value::Object(object)) => object.clone(),
        Some(_) => return Err(format!("cannot descend into non-object state field '{first}'")),
    };
    set(&mut inner, rest, value)?;
    state.insert(first.clone(), inner);
    Ok(())
}

/// Everything the slow and obvious way.
struct Naive<'a> {
    schema: &'a StateSchema,
}

impl Naive<'_> {
    fn merged(&self, state: &Object, path: &StatePath, incoming: &Value) -> Result<Value, String> {
        let field = self.schema.fields().iter().find(|field| field.path == *path);
        let name = field.map_or_else(|| "wf.std.replace".to_owned(), |field| field.reducer.capability.to_string());
        let reducer = BuiltinReducer::from_name(&name).expect("only built-in reducers here");
        let text = Arc::from(path.to_string());
        reducer.merge(get(state, path.parts()), incoming, &text).map_err(|error| error.to_string())
    }

    fn check(&self, state: &Object, written: &[StatePath]) -> Result<(), String> {
        let mut fields: Vec<_> = self
            .schema
            .fields()
            .iter()
            .filter(|field| written.iter().any(|path| parts_overlap(path.parts(), field.path.parts())))
            .collect();
        fields.sort_by_key(|field| Reverse(field.path.parts().len()));
        for field in fields {
            if let Some(value) = get(state, field.path.parts()) {
                let schema = CompiledSchema::compile(field.schema.as_object()).expect("a field's schema compiles");
                let label = format!("state write state.{}", field.path.parts().join("."));
                schema.check(value, label).map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }

    /// One step: every place is merged with what it held before the step.
    fn step(&self, state: &Object, writes: &[(StatePath, Value)]) -> Result<Object, String> {
        let mut after = state.clone();
        let merged: Result<Vec<Value>, _> =
            writes.iter().map(|(path, incoming)| self.merged(state, path, incoming)).collect();
        for ((path, _), value) in writes.iter().zip(merged?) {
            set(&mut after, path.parts(), value)?;
        }
        let written: Vec<StatePath> = writes.iter().map(|(path, _)| path.clone()).collect();
        self.check(&after, &written)?;
        Ok(after)
    }

    /// A barrier: every write is merged with what the ones before it left.
    fn replay(&self, state: &Object, writes: &[(StatePath, Value)]) -> Result<Object, String> {
        let mut after = state.clone();
        for (path, incoming) in writes {
            let value = self.merged(&after, path, incoming)?;
            set(&mut after, path.parts(), value)?;
        }
        let written: Vec<StatePath> = writes.iter().map(|(path, _)| path.clone()).collect();
        self.check(&after, &written)?;
        Ok(after)
    }
}

fn text(state: Result<Object, String>) -> Result<String, String> {
    state.map(|state| Value::Object(state).to_json())
}

/// The outcome of staging and applying, and whether a failure left the state alone.
fn applied(state: &Object, staged: Result<Staged, wf_core::state::StateError>) -> Result<Object, String> {
    let mut after = state.clone();
    match staged.map_err(|error| error.to_string())? {
        Staged::Ready(patch) => patch.apply(&mut after).map_err(|error| error.to_string())?,
        Staged::NeedsReduce(_) => return Err("custom reducers".to_owned()),
    }
    Ok(after)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_staged_step_is_a_copied_and_wholly_checked_one(
        schema in schema(),
        input in prop::collection::vec((key(), value()), 0..3),
        steps in prop::collection::vec(prop::collection::vec((path(), value()), 1..4), 1..5),
    ) {
        let Ok(schema) = StateSchema::parse(&Value::Object(schema)) else { return Ok(()) };
        let Ok(layout) = StateLayout::compile(&schema, &NoCustomReducers) else { return Ok(()) };
        let naive = Naive { schema: &schema };
        let Ok(mut state) = layout.initial_state(&input.into_iter().collect()) else { return Ok(()) };
        for mut writes in steps {
            // Targets of one step never overlap.
            let mut paths: Vec<StatePath> = Vec::new();
            writes.retain(|(path, _)| {
                let free = !paths.iter().any(|known| parts_overlap(known.parts(), path.parts()));
                paths.push(path.clone());
                free
            });
            let expected = naive.step(&state, &writes);
            let staged = writes.iter().map(|(path, value)| StateWrite { target: layout.target(path), incoming: value.clone() });
            let got = applied(&state, layout.stage(&state, staged.collect::<Vec<_>>()));
            prop_assert_eq!(text(got.clone()), text(expected), "{:?} writes {:?}", state, writes);
            if let Ok(after) = got {
                state = after;
            }
        }
    }

    #[test]
    fn a_barrier_of_one_sibling_is_a_replay_of_its_writes(
        schema in schema(),
        input in prop::collection::vec((key(), value()), 0..3),
        writes in prop::collection::vec((path(), value()), 1..6),
    ) {
        let Ok(schema) = StateSchema::parse(&Value::Object(schema)) else { return Ok(()) };
        let Ok(layout) = StateLayout::compile(&schema, &NoCustomReducers) else { return Ok(()) };
        let Ok(state) = layout.initial_state(&input.into_iter().collect()) else { return Ok(()) };
        let expected = Naive { schema: &schema }.replay(&state, &writes);
        let siblings = writes.iter().map(|(path, value)| {
            SiblingWrite { sibling: 0, target: layout.target(path), incoming: value.clone() }
        });
        let got = applied(&state, layout.merge_siblings(&state, siblings));
        // Of several problems, the one found first may be another: a barrier merges place by place.
        if got.is_ok() || expected.is_ok() {
            let value = |state: Result<Object, String>| state.map(Value::Object);
            prop_assert_eq!(value(got), value(expected), "{:?} replays {:?}", state, writes);
        }
    }
}
