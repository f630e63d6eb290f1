//! What a handler answers.

use std::sync::Arc;

use crate::value::{Object, Value};

/// An outcome and an output.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeResult {
    /// The outcome; must be one the node's contract declares.
    pub outcome: Arc<str>,
    /// The output.
    pub output: Object,
    /// Free remarks of the handler, kept in the trace.
    pub meta: Object,
    /// Further keys, kept as they came.
    pub extra: Vec<(Arc<str>, Value)>,
}
