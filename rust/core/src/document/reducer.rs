//! Reducers as documents: which merge rule a state field has, and what a rule takes.

use std::sync::Arc;

use crate::refs::CapabilityRef;
use crate::value::{Object, Value};

/// Which reducer merges writes to a field.
#[derive(Clone, Debug, PartialEq)]
pub struct ReducerRef {
    /// The reducer.
    pub capability: CapabilityRef,
    /// Its configuration.
    pub config: Object,
}

/// The contract of a reducer.
#[derive(Clone, Debug, PartialEq)]
pub struct ReducerSpec {
    /// Its qualified name, for example `wf.std.add`.
    pub name: Arc<str>,
    /// What it does.
    pub description: Option<Arc<str>>,
    /// The schema of its configuration.
    pub config_schema: Object,
    /// Whether writes of several siblings can be merged.
    pub sibling_write_policy: SiblingWritePolicy,
    /// Further keys, kept as they came.
    pub extra: Vec<(Arc<str>, Value)>,
}

/// Whether siblings (items of a foreach, branches of a fork) may write the same field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SiblingWritePolicy {
    /// `exclusive`: at most one of them may.
    Exclusive,
    /// `mergeable`: their writes are merged in order.
    #[default]
    Mergeable,
}
