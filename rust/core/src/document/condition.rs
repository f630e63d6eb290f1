//! Conditions: what a condition step decides by.

use crate::path::GraphSourcePath;
use crate::value::Value;

/// A predicate over input, state and context.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// The path holds something, `null` included.
    Exists(GraphSourcePath),
    /// The opposite.
    Not(Box<Self>),
    /// All of them; never empty.
    And(Vec<Self>),
    /// At least one of them; never empty.
    Or(Vec<Self>),
    /// Two operands compared.
    Compare {
        /// `op`.
        op: Comparison,
        /// The left operand.
        left: Operand,
        /// The right operand.
        right: Operand,
    },
}

/// How two operands are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `eq`
    Eq,
    /// `ne`
    Ne,
    /// `gt`
    Gt,
    /// `ge`
    Ge,
    /// `lt`
    Lt,
    /// `le`
    Le,
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// What a path holds.
    Path(GraphSourcePath),
    /// A literal.
    Value(Value),
}
