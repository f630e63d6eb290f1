//! What a run depends on, as hashes: by them a changed workflow is noticed, and the change named.
//!
//! Texts for readers do not count: titles and descriptions of schemas, remarks of steps. Nor do the schemas of
//! interrupts: a paused interrupt keeps those it was raised with.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::document::Document;
use crate::value::{Object, Value};

use super::WorkflowPlan;

/// The hash of a plan, whole and in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanDigest {
    hash: String,
    parts: BTreeMap<String, String>,
}

/// How many hexadecimal digits of a part's hash are kept: enough to notice a change, short in a snapshot.
const PART_DIGITS: usize = 12;

impl PlanDigest {
    pub(super) fn of(workflows: &[WorkflowPlan]) -> Self {
        let mut parts = BTreeMap::new();
        for workflow in workflows {
            let scope = workflow.reference.as_ref().map_or_else(String::new, |reference| format!("{reference}: "));
            let Value::Object(dump) = workflow.document.dump() else { continue };
            for (name, value) in &dump {
                match (&**name, value) {
                    ("node_defs", Value::List(defs)) => named_parts(&mut parts, &scope, "node_defs", "name", defs),
                    ("nodes", Value::List(nodes)) => named_parts(&mut parts, &scope, "nodes", "id", nodes),
                    _ => {
                        parts.insert(format!("{scope}{name}"), hash(&meaning(name, value))[..PART_DIGITS].to_owned());
                    }
                }
            }
        }
        let whole: String = parts.iter().fold(String::new(), |mut text, (name, part)| {
            let _ = writeln!(text, "{name} {part}");
            text
        });
        Self { hash: hash_text(&whole), parts }
    }

    /// The whole as 64 hexadecimal digits.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The digest as JSON, for a snapshot.
    pub fn to_value(&self) -> Value {
        let parts: Object = self.parts.iter().map(|(name, part)| (name.as_str(), part.as_str())).collect();
        let mut object = Object::new();
        object.insert("hash", self.hash.as_str());
        object.insert("parts", parts);
        Value::Object(object)
    }

    /// Reads what [`to_value`](Self::to_value) wrote.
    pub(crate) fn from_value(value: &Value) -> Option<Self> {
        let object = value.as_object()?;
        let hash = object.get("hash")?.as_str()?.to_owned();
        let mut parts = BTreeMap::new();
        for (name, part) in object.get("parts")?.as_object()? {
            parts.insert(name.to_string(), part.as_str()?.to_owned());
        }
        Some(Self { hash, parts })
    }

    /// The parts that differ, in order: `nodes[say]`, `child: edges`, …
    pub fn changes(&self, other: &Self) -> Vec<String> {
        let names = self.parts.keys().chain(other.parts.keys().filter(|name| !self.parts.contains_key(*name)));
        let mut changed: Vec<String> =
            names.filter(|name| self.parts.get(*name) != other.parts.get(*name)).cloned().collect();
        changed.sort();
        changed
    }
}

/// One part per entry of a list, named by one of the entry's keys.
fn named_parts(parts: &mut BTreeMap<String, String>, scope: &str, list: &str, key: &str, entries: &[Value]) {
    let mut order = Vec::with_capacity(entries.len());
    for entry in entries {
        let name = entry.as_object().and_then(|entry| entry.get(key)).and_then(Value::as_str).unwrap_or_default();
        order.push(Value::from(name));
        parts.insert(format!("{scope}{list}[{name}]"), hash(&meaning(list, entry))[..PART_DIGITS].to_owned());
    }
    // Snapshots refer to steps and contracts by position.
    parts.insert(format!("{scope}{list}"), hash(&Value::List(order.into()))[..PART_DIGITS].to_owned());
}

/// A part of a document without what does not count.
fn meaning(name: &str, value: &Value) -> Value {
    match (name, value) {
        ("input_schema" | "output_schema" | "state_schema", schema) => without_remarks(schema),
        ("node_defs" | "nodes", Value::Object(entry)) => {
            let skipped = |key: &str| matches!(key, "desc" | "request_schema" | "resume_schema");
            let kept = entry.iter().filter(|(key, _)| !skipped(key));
            Value::Object(kept.map(|(key, value)| (key.clone(), meaning(key, value))).collect())
        }
        _ => value.clone(),
    }
}

/// A schema without titles and descriptions. Keywords that hold plain values are left as they are.
fn without_remarks(schema: &Value) -> Value {
    match schema {
        Value::Object(object) => Value::Object(
            object
                .iter()
                .filter(|(key, value)| !(matches!(&***key, "title" | "description") && value.as_str().is_some()))
                .map(|(key, value)| match &**key {
                    "const" | "enum" | "default" | "examples" => (key.clone(), value.clone()),
                    _ => (key.clone(), without_remarks(value)),
                })
                .collect(),
        ),
        Value::List(items) => Value::List(items.iter().map(without_remarks).collect()),
        other => other.clone(),
    }
}

fn hash(value: &Value) -> String {
    hash_text(&value.canonical_json())
}

fn hash_text(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
