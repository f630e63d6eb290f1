//! Reducers as documents: which merge rule a state field has, and what a rule takes.

use std::borrow::Cow;
use std::sync::Arc;

use super::form::Reader;
use crate::refs::{CapabilityRef, SourceRef};
use crate::value::{Object, Value};

document! {
    /// Which reducer merges writes to a field.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ReducerRef: "ReducerRef" {
        /// The reducer.
        pub capability: CapabilityRef as "ref",
        /// Its configuration.
        pub config: Object = Object::new(),
    }
    before shorthand;
}

document! {
    /// The contract of a reducer.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ReducerSpec: "ReducerSpec" {
        /// Its qualified name, for example `wf.std.add`.
        pub name: Arc<str>,
        /// What it does.
        pub description: Option<Arc<str>> = None,
        /// The schema of its configuration.
        pub config_schema: Object = no_config(),
        /// Whether writes of several siblings can be merged.
        pub sibling_write_policy: SiblingWritePolicy = SiblingWritePolicy::default(),
    }
    extra extra;
}

text_enum! {
    /// Whether siblings (items of a foreach, branches of a fork) may write the same field.
    #[derive(Default)]
    pub enum SiblingWritePolicy {
        /// `exclusive`: at most one of them may.
        Exclusive = "exclusive",
        /// `mergeable`: their writes are merged in order.
        #[default]
        Mergeable = "mergeable",
    }
}

impl ReducerRef {
    /// The reducer of fields that declare none: `wf.std.replace`.
    pub fn replace() -> Self {
        let source = SourceRef([Arc::from("wf"), Arc::from("std")].into());
        Self { capability: CapabilityRef { source, name: Arc::from("replace") }, config: Object::new() }
    }

    /// The qualified name, by which registries know the reducer.
    pub fn name(&self) -> String {
        self.capability.to_string()
    }

    /// As state schemas have it: a name when there is no configuration.
    pub(super) fn write_short(&self) -> Value {
        if self.config.is_empty() { Value::from(self.name()) } else { super::form::Part::write(self) }
    }
}

/// The schema of a configuration that must be empty.
fn no_config() -> Object {
    Object::from_iter([
        ("type", Value::from("object")),
        ("properties", Value::Object(Object::new())),
        ("additionalProperties", Value::Bool(false)),
    ])
}

/// A bare name is a reference without configuration; `name` is the former spelling of `ref`.
fn shorthand<'v>(value: &'v Value, reader: &mut Reader) -> Option<Cow<'v, Value>> {
    let object = match value {
        Value::String(_) => return Some(Cow::Owned(Value::Object(Object::from_iter([("ref", value.clone())])))),
        Value::Object(object) => object,
        _ => {
            reader.problem("reducer.type", "expected string or object");
            return None;
        }
    };
    let mut canonical = object.clone();
    if let Some(name) = canonical.remove("name") {
        if canonical.contains_key("ref") {
            reader.problem("document.conflict", "reducer ref and name are mutually exclusive");
            return None;
        }
        canonical.insert("ref", name);
    }
    if canonical.get("config").is_some_and(Value::is_null) {
        canonical.remove("config");
    }
    Some(Cow::Owned(Value::Object(canonical)))
}
