//! What changed between two schemas, in words, for the message of a drift.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use wf_core::value::{Object, Value};

use crate::hash::hash_contract;

/// How many changes are named.
const NAMED: usize = 4;

/// The changes of the top level: properties that came, went or changed, and what is required now.
///
/// Empty when the change is not among the properties.
pub(crate) fn describe_drift(before: &Object, after: &Object) -> String {
    let (old, new) = (properties(before), properties(after));
    let (was, is) = (required(before), required(after));
    let mut changes = Vec::new();
    for (name, schema) in &new {
        match old.get(name) {
            None if is.contains(name.as_ref()) => changes.push(format!("`{name}` was added and is required")),
            None => changes.push(format!("`{name}` was added")),
            Some(former) if differ(former, schema) => changes.push(format!("`{name}` changed")),
            Some(_) if is.contains(name.as_ref()) && !was.contains(name.as_ref()) => {
                changes.push(format!("`{name}` is now required"));
            }
            Some(_) if was.contains(name.as_ref()) && !is.contains(name.as_ref()) => {
                changes.push(format!("`{name}` is no longer required"));
            }
            Some(_) => {}
        }
    }
    changes.extend(old.keys().filter(|name| !new.contains_key(name)).map(|name| format!("`{name}` was removed")));
    let more = changes.len().saturating_sub(NAMED);
    changes.truncate(NAMED);
    let mut text = changes.join(", ");
    if more > 0 {
        // Writing to a string does not fail.
        let _ = write!(text, ", and {more} more");
    }
    text
}

fn properties(schema: &Object) -> Object {
    schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

fn required(schema: &Object) -> BTreeSet<&str> {
    schema
        .get("required")
        .and_then(Value::as_list)
        .into_iter()
        .flat_map(|names| names.iter())
        .filter_map(Value::as_str)
        .collect()
}

fn differ(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => hash_contract(before) != hash_contract(after),
        _ => before != after,
    }
}
