//! Bindings: how values get into a step and out of it again.

use std::sync::Arc;

use crate::path::{GraphSourcePath, LocalPath, StatePath};
use crate::value::Value;

/// Fills one place of a payload.
#[derive(Clone, Debug, PartialEq)]
pub struct InputBinding {
    /// The place in the payload; the root means the whole payload.
    pub target: LocalPath,
    /// Where its value comes from.
    pub source: InputSource,
}

/// Where an input binding takes its value from.
#[derive(Clone, Debug, PartialEq)]
pub enum InputSource {
    /// `path`: a place in the input, the state or the context.
    Path(GraphSourcePath),
    /// `value`: a literal.
    Value(Value),
    /// `expression`: built from literals and paths (not allowed in a workflow's `output`).
    Expression(Expression),
}

/// A value built from literals and paths.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A literal.
    Literal(Value),
    /// What a path holds.
    Path(GraphSourcePath),
    /// A list of expressions.
    Array(Vec<Self>),
    /// An object of expressions, in the order written.
    Object(Vec<(Arc<str>, Self)>),
}

/// Writes one place of an output into the state.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputBinding {
    /// The place in the output; the root means the whole output.
    pub source: LocalPath,
    /// The place in the state.
    pub target: StatePath,
}
