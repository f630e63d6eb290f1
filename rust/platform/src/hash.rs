//! Hashes of JSON Schemas: of the whole text, and of what a contract promises.

use std::sync::Arc;

use wf_core::value::{Object, Value};

/// Keywords whose value is a schema.
const SCHEMA: &[&str] = &[
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Keywords whose value is a list of schemas.
const SCHEMA_LIST: &[&str] = &["allOf", "anyOf", "items", "oneOf", "prefixItems"];

/// Keywords whose value is an object of schemas; its keys are names, never keywords.
const SCHEMA_MAP: &[&str] =
    &["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"];

/// Keywords that say nothing to a machine.
const REMARKS: &[&str] = &["title", "description", "$comment", "examples"];

/// The hash of a JSON text: `sha256:` and the hex digest of its canonical form.
///
/// Two spellings of one object (order of keys, spaces) have the same hash; any other difference shows.
///
/// ```
/// # use wf_core::value::{Object, Value};
/// # use wf_platform::hash::hash_json_schema;
/// let hash = hash_json_schema(&Value::Object(Object::new()));
/// assert_eq!(&*hash, "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
/// ```
pub fn hash_json_schema(schema: &Value) -> Arc<str> {
    schema.sha256().into()
}

/// The hash of what a schema promises: titles, descriptions, comments and examples do not count, wherever they
/// stand, nor does the order of `required`. Editing a docstring is no drift.
pub fn hash_contract(schema: &Object) -> Arc<str> {
    hash_json_schema(&Value::Object(promise(schema)))
}

/// The schema without what does not count.
///
/// The depth of the recursion is that of the schema, which every way into a `Value` bounds.
fn promise(schema: &Object) -> Object {
    let mut kept = Object::with_capacity(schema.len());
    for (keyword, value) in schema {
        if REMARKS.contains(&keyword.as_ref()) {
            continue;
        }
        kept.insert(Arc::clone(keyword), promise_of(keyword, value));
    }
    kept
}

fn promise_of(keyword: &str, value: &Value) -> Value {
    match value {
        Value::Object(map) if SCHEMA_MAP.contains(&keyword) => {
            map.iter().map(|(name, schema)| (Arc::clone(name), subschema(schema))).collect::<Object>().into()
        }
        Value::Object(_) if SCHEMA.contains(&keyword) => subschema(value),
        Value::List(list) if SCHEMA_LIST.contains(&keyword) => Value::List(list.iter().map(subschema).collect()),
        Value::List(list) if keyword == "required" => {
            let mut names: Vec<Value> = list.iter().cloned().collect();
            names.sort_by_cached_key(Value::canonical_json);
            Value::List(names.into())
        }
        other => other.clone(),
    }
}

fn subschema(schema: &Value) -> Value {
    // Anything else is `true`, `false`, or a list of names under `dependencies`.
    schema.as_object().map_or_else(|| schema.clone(), |schema| promise(schema).into())
}
