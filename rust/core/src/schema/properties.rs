//! Laws of the filter, over random schemas and values: it is never surer than the judge.

use proptest::prelude::*;
use proptest::strategy::Union;

use super::filter::{Verdict, Walk};
use super::{Change, CompiledSchema};
use crate::reducer::Merged;
use crate::value::{Key, Object, Value};

/// Few keys and values, so that schemas and values meet often.
fn key() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["a", "b", "ab", "c"])
}

fn number() -> impl Strategy<Value = Value> {
    let numbers = [
        "0",
        "1",
        "-1",
        "2",
        "3",
        "1.0",
        "2.0",
        "0.5",
        "1.5",
        "-0.0",
        "1e20",
        "9007199254740993",
        "9007199254740992.0",
        "9223372036854775807",
        "9223372036854775808",
        "123456789012345678901234567890",
    ];
    prop::sample::select(numbers.to_vec()).prop_map(json)
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number(),
        prop::sample::select(vec!["", "a", "ab", "aaa", "b", "é"]).prop_map(Value::from),
    ]
}

fn json(text: &str) -> Value {
    Value::parse_json(text).expect("test data is JSON")
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| Value::List(items.into())),
            prop::collection::vec((key(), inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn names() -> impl Strategy<Value = Value> {
    prop::sample::subsequence(vec!["a", "b", "ab", "c"], 0..3).prop_map(Value::from)
}

fn type_name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["null", "boolean", "integer", "number", "string", "array", "object"])
}

type Keyword = (&'static str, Value);

fn keyword(schema: &BoxedStrategy<Value>) -> BoxedStrategy<Keyword> {
    let named = |name: &'static str, values: BoxedStrategy<Value>| values.prop_map(move |value| (name, value)).boxed();
    let count = || (0_i64..3).prop_map(Value::from).boxed();
    let map = |keys: BoxedStrategy<&'static str>| {
        prop::collection::vec((keys, schema.clone()), 0..3)
            .prop_map(|entries| Value::Object(entries.into_iter().collect()))
            .boxed()
    };
    let branches = || prop::collection::vec(schema.clone(), 1..3).prop_map(|items| Value::List(items.into())).boxed();
    let mut all: Vec<(u32, BoxedStrategy<Keyword>)> = Vec::new();
    for name in ["properties", "dependentSchemas"] {
        all.push((4, named(name, map(key().boxed()))));
    }
    all.push((2, named("patternProperties", map(prop::sample::select(vec!["^a", "b$", "."]).boxed()))));
    // A list of `items` means something in older dialects only, as do the two keywords after it.
    all.push((1, named("items", branches())));
    all.push((1, named("additionalItems", schema.clone())));
    all.push((1, named("dependencies", map(key().boxed()))));
    for name in ["items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames"] {
        all.push((2, named(name, schema.clone())));
    }
    for name in ["unevaluatedProperties", "unevaluatedItems"] {
        all.push((1, named(name, schema.clone())));
    }
    for name in ["allOf", "anyOf", "oneOf", "prefixItems"] {
        all.push((2, named(name, branches())));
    }
    for name in [
        "minItems",
        "maxItems",
        "minLength",
        "maxLength",
        "minProperties",
        "maxProperties",
        "minContains",
        "maxContains",
    ] {
        all.push((1, named(name, count())));
    }
    for name in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
        all.push((1, named(name, number().boxed())));
    }
    let steps = || prop::sample::select(vec!["1", "2", "0.5", "1.0", "3"]).prop_map(json).boxed();
    all.extend([
        (
            5,
            prop_oneof![
                type_name().prop_map(Value::from),
                prop::collection::hash_set(type_name(), 1..3).prop_map(|names| {
                    let mut sorted: Vec<_> = names.into_iter().collect();
                    sorted.sort_unstable();
                    Value::from(sorted)
                })
            ]
            .prop_map(|value| ("type", value))
            .boxed(),
        ),
        (3, named("required", names().boxed())),
        (1, named("const", value().boxed())),
        (1, named("enum", prop::collection::vec(value(), 1..4).prop_map(|items| Value::List(items.into())).boxed())),
        (1, named("multipleOf", steps())),
        (1, named("pattern", prop::sample::select(vec!["^a", "b", "^a+$", "é"]).prop_map(Value::from).boxed())),
        (1, named("uniqueItems", any::<bool>().prop_map(Value::Bool).boxed())),
        (
            1,
            named(
                "dependentRequired",
                prop::collection::vec((key(), names()), 0..2)
                    .prop_map(|entries| Value::Object(entries.into_iter().collect()))
                    .boxed(),
            ),
        ),
        (3, named("$ref", prop::sample::select(vec!["#/$defs/a", "#/$defs/b", "#"]).prop_map(Value::from).boxed())),
        (1, named("format", Just(Value::from("email")).boxed())),
    ]);
    Union::new_weighted(all).boxed()
}

fn part() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(Value::Bool),
        6 => type_name().prop_map(|name| Value::Object([("type", name)].into_iter().collect())),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop::collection::vec(keyword(&inner.boxed()), 0..4)
            .prop_map(|keywords| Value::Object(keywords.into_iter().collect()))
    })
}

fn dialect() -> impl Strategy<Value = Option<&'static str>> {
    prop_oneof![
        4 => Just(None),
        3 => prop::sample::select(vec![
            "https://json-schema.org/draft/2020-12/schema",
            "https://json-schema.org/draft/2019-09/schema",
            "http://json-schema.org/draft-07/schema#",
            "http://json-schema.org/draft-06/schema#",
            "http://json-schema.org/draft-04/schema#",
        ])
        .prop_map(Some),
    ]
}

fn schema() -> impl Strategy<Value = Object> {
    let root = prop::collection::vec(keyword(&part().boxed()), 0..4);
    (dialect(), root, part(), part()).prop_map(|(dialect, keywords, a, b)| {
        let mut root: Object = keywords.into_iter().collect();
        if let Some(dialect) = dialect {
            root.insert("$schema", dialect);
        }
        root.insert("$defs", [("a", a), ("b", b)].into_iter().collect::<Object>());
        root
    })
}

/// The judge's opinion alone.
fn judged(schema: &CompiledSchema, value: &Value) -> bool {
    schema.judge(value, &"").is_ok()
}

fn merged(merged: &Merged) -> Change<'_> {
    match merged {
        Merged::Value(value) => Change::Set(value),
        Merged::Append(items) => Change::Append(items),
        Merged::Entries(entries) => Change::Merge(entries),
    }
}

/// The value after a change, for values that have the place.
fn changed(old: &Value, path: &[Key], change: Merged) -> Option<Value> {
    match path.split_first() {
        None => match (&change, old) {
            (Merged::Append(_), Value::List(_)) | (Merged::Entries(_), Value::Object(_)) | (Merged::Value(_), _) => {
                Some(change.into_value(Some(old)))
            }
            _ => None,
        },
        Some((first, rest)) => {
            let mut object = old.as_object()?.clone();
            let inner = match object.get(first) {
                Some(inner) => changed(inner, rest, change)?,
                None => match (rest, change) {
                    ([], Merged::Value(value)) => value,
                    _ => return None,
                },
            };
            object.insert(first.clone(), inner);
            Some(Value::Object(object))
        }
    }
}

fn change() -> impl Strategy<Value = Merged> {
    prop_oneof![
        3 => value().prop_map(Merged::Value),
        2 => prop::collection::vec(value(), 0..3).prop_map(|items| Merged::Append(items.into())),
        2 => prop::collection::vec((key(), value()), 0..3)
            .prop_map(|entries| Merged::Entries(entries.into_iter().collect())),
    ]
}

/// The schema with the keywords of `$defs/a` in canonical order, which is the order of a part's own.
fn with_canonical_a(schema: &Object) -> Object {
    let mut schema = schema.clone();
    let mut definitions = schema.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
    if let Some(Value::Object(a)) = definitions.get("a").cloned() {
        let first = ["type", "properties", "required"].into_iter().filter_map(|key| Some((key, a.get(key)?.clone())));
        let mut ordered: Object = first.collect();
        for (key, value) in &a {
            ordered.insert(key.clone(), value.clone());
        }
        definitions.insert("a", ordered);
    }
    schema.insert("$defs", definitions);
    schema
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, max_global_rejects: 1_000_000, ..ProptestConfig::default() })]

    #[test]
    fn what_the_filter_is_sure_of_the_judge_confirms(schema in schema(), values in prop::collection::vec(value(), 8)) {
        let Ok(compiled) = CompiledSchema::compile(&schema) else { return Ok(()) };
        for value in values {
            match compiled.verdict(&value) {
                Verdict::Yes => prop_assert!(judged(&compiled, &value), "{value:?} accepted"),
                Verdict::No => prop_assert!(!judged(&compiled, &value), "{value:?} refused"),
                Verdict::Unsure => {}
            }
        }
    }

    #[test]
    fn an_accepted_change_of_a_valid_value_leaves_it_valid(
        schema in schema(),
        old in value(),
        path in prop::collection::vec(key().prop_map(Key::from), 0..3),
        change in change(),
    ) {
        let Ok(compiled) = CompiledSchema::compile(&schema) else { return Ok(()) };
        prop_assume!(judged(&compiled, &old));
        let Some(new) = changed(&old, &path, change.clone()) else { return Ok(()) };
        if compiled.accepts_change(Some(&old), &path, merged(&change)) {
            prop_assert!(judged(&compiled, &new), "{old:?} became {new:?}");
        }
    }

    #[test]
    fn a_part_of_a_document_is_judged_like_the_document_that_refers_to_it(
        schema in schema(),
        value in value(),
    ) {
        let schema = with_canonical_a(&schema);
        let pointers = ["/$defs/a".to_owned()];
        let Ok((_, parts)) = CompiledSchema::with_parts(&schema, &pointers) else { return Ok(()) };
        let mut other = schema.clone();
        for key in schema.keys().filter(|key| !matches!(&***key, "$defs" | "$schema")) {
            other.remove(key);
        }
        // Only a reference to the root would mean something else there.
        prop_assume!(!schema.get("$defs").is_some_and(|defs| defs.to_json().contains(r##""#""##)));
        other.insert("$ref", "#/$defs/a");
        let Ok(other) = CompiledSchema::compile(&other) else { return Ok(()) };
        let part = &parts[0];
        let messages = |schema: &CompiledSchema| schema.check(&value, "L").map_err(|error| error.to_string());
        prop_assert_eq!(messages(part), messages(&other));
    }
}

#[test]
fn ordinary_schemas_never_need_the_judge_for_valid_values() {
    let cases = [
        (r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}"#, r#"{"a": "x", "b": 1}"#),
        (r#"{"anyOf": [{"type": "string"}, {"type": "null"}], "title": "T", "default": null}"#, "null"),
        (r##"{"$ref": "#/$defs/M", "$defs": {"M": {"type": "object", "additionalProperties": false}}}"##, "{}"),
        (r#"{"type": "array", "items": {"type": "integer", "minimum": 0}, "uniqueItems": true}"#, "[1, 2.0]"),
        (r#"{"enum": ["a", "b"]}"#, r#""b""#),
        (r#"{"type": "array", "prefixItems": [{"type": "integer"}], "items": false, "minItems": 1}"#, "[1]"),
        (r#"{"type": "string", "pattern": "^[a-z]+$", "minLength": 1, "format": "email"}"#, r#""abc""#),
        (
            r#"{"oneOf": [{"properties": {"k": {"const": "a"}}, "required": ["k"]}, {"properties": {"k": {"const": "b"}}, "required": ["k"]}],
                "discriminator": {"propertyName": "k"}}"#,
            r#"{"k": "b"}"#,
        ),
        (
            r##"{"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"n": {"type": "integer"}},
                 "properties": {"a": {"$ref": "#/definitions/n"}}, "additionalProperties": {"type": "string"}}"##,
            r#"{"a": 1, "b": "x"}"#,
        ),
    ];
    for (schema, value) in cases {
        let Value::Object(object) = json(schema) else { panic!("{schema}") };
        let compiled = CompiledSchema::compile(&object).expect("test schema compiles");
        assert_eq!(compiled.verdict(&json(value)), Verdict::Yes, "{schema}");
    }
}

#[test]
fn alternatives_within_alternatives_are_not_tried_without_end() {
    let Value::Object(schema) = json(
        r##"{"$ref": "#/$defs/n", "$defs": {"n": {"anyOf": [
            {"properties": {"a": {"$ref": "#/$defs/n"}}, "required": ["x"]},
            {"properties": {"a": {"$ref": "#/$defs/n"}}, "required": ["y"]},
            {"properties": {"a": {"$ref": "#/$defs/n"}}, "required": ["z"]}]}}}"##,
    ) else {
        panic!("an object")
    };
    let compiled = CompiledSchema::compile(&schema).expect("test schema compiles");
    let mut value = Value::Object(Object::new());
    for _ in 0..200 {
        value = Value::Object([("a", value)].into_iter().collect());
    }
    assert_eq!(compiled.verdict(&value), Verdict::Unsure);
    assert!(compiled.check(&value, "L").is_err());
}

/// How many places a check of a change looks at.
fn visits(schema: &CompiledSchema, old: &Value, path: &[&str], change: Change<'_>) -> u64 {
    let path: Vec<Key> = path.iter().map(|part| Key::from(*part)).collect();
    let mut walk = Walk::new(old);
    let compiled = &schema.0;
    let verdict = compiled.document.graph.change(compiled.node, Some(old), &path, change, &mut walk);
    assert_eq!(verdict, Verdict::Yes);
    walk.visits()
}

#[test]
fn what_is_already_there_is_not_checked_again() {
    let Value::Object(schema) = json(
        r##"{"$ref": "#/$defs/root", "$defs": {
            "item": {"type": "object", "properties": {"n": {"type": "integer", "minimum": 0}}},
            "root": {"type": "object", "required": ["list"], "properties": {
                "list": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/item"}}, {"type": "null"}]},
                "map": {"type": "object", "additionalProperties": {"$ref": "#/$defs/item"}}}}}}"##,
    ) else {
        panic!("an object")
    };
    let compiled = CompiledSchema::compile(&schema).expect("test schema compiles");
    let state = |size: i64| {
        let item = |n: i64| Value::Object([("n", n)].into_iter().collect());
        let list = Value::List((0..size).map(item).collect());
        let map: Object = (0..size).map(|n| (n.to_string(), item(n))).collect();
        Value::Object([("list", list), ("map", map.into())].into_iter().collect())
    };
    let added = [json(r#"{"n": 1}"#), json(r#"{"n": 2}"#)].into_iter().collect();
    let entries: Object = [("new", json(r#"{"n": 1}"#)), ("0", json(r#"{"n": 5}"#))].into_iter().collect();
    let deep = Value::Int(7);
    let work = |size| {
        let state = state(size);
        [
            visits(&compiled, &state, &["list"], Change::Append(&added)),
            visits(&compiled, &state, &["map"], Change::Merge(&entries)),
            visits(&compiled, &state, &["map", "3", "n"], Change::Set(&deep)),
        ]
    };
    assert_eq!(work(10), work(20_000));
}
