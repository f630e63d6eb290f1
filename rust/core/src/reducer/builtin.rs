//! The six built-in reducers.

use std::sync::Arc;

use crate::document::{ReducerSpec, SiblingWritePolicy};
use crate::value::{Object, Value};

/// A reducer that the engine runs itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuiltinReducer {
    /// `wf.std.replace`: the incoming value.
    Replace,
    /// `wf.std.append`: a list grows by an item, or by the items of a list.
    Append,
    /// `wf.std.merge_object`: the entries of both, the incoming ones win.
    MergeObject,
    /// `wf.std.add`: the sum of numbers, texts or lists.
    Add,
    /// `wf.std.set_union`: the items of both lists, each once, in the order first seen.
    SetUnion,
    /// `wf.std.max`: the larger one.
    Max,
}

impl BuiltinReducer {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Replace, Self::Append, Self::MergeObject, Self::Add, Self::SetUnion, Self::Max];

    /// The reducer of that qualified name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reducer| reducer.name() == name)
    }

    /// Its qualified name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Replace => "wf.std.replace",
            Self::Append => "wf.std.append",
            Self::MergeObject => "wf.std.merge_object",
            Self::Add => "wf.std.add",
            Self::SetUnion => "wf.std.set_union",
            Self::Max => "wf.std.max",
        }
    }

    /// Whether several siblings may write the same field.
    pub fn sibling_writes(self) -> SiblingWritePolicy {
        match self {
            Self::Replace => SiblingWritePolicy::Exclusive,
            _ => SiblingWritePolicy::Mergeable,
        }
    }

    /// What it does, in one sentence.
    pub fn description(self) -> &'static str {
        match self {
            Self::Replace => "Replace the current value with the incoming one.",
            Self::Append => "Append an item, or all items of a list, to the current list.",
            Self::MergeObject => "Merge the incoming entries into the current object; incoming entries win.",
            Self::Add => "Add numbers, or join texts or lists.",
            Self::SetUnion => "Unite two lists; every item is kept once, in the order first seen.",
            Self::Max => "Keep the larger of the two values.",
        }
    }

    /// Its contract; no built-in reducer takes a configuration.
    pub fn spec(self) -> ReducerSpec {
        let config_schema: Object = [
            ("type", Value::from("object")),
            ("properties", Value::Object(Object::new())),
            ("additionalProperties", Value::Bool(false)),
        ]
        .into_iter()
        .collect();
        ReducerSpec {
            name: Arc::from(self.name()),
            description: Some(Arc::from(self.description())),
            config_schema,
            sibling_write_policy: self.sibling_writes(),
            extra: Vec::new(),
        }
    }
}
