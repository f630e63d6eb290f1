//! What can go wrong when a step writes to the state.

use thiserror::Error;

use crate::reducer::{ReduceError, ReducerError};
use crate::schema::{PayloadError, SchemaError};

/// Why writes cannot be applied to a state; nothing of them has been.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StateError {
    /// Two targets of one step are the same place, or one lies within the other.
    #[error("mapped state patch has overlapping destination paths")]
    OverlappingTargets,
    /// A reducer could not merge a value.
    #[error(transparent)]
    Reduce(#[from] ReduceError),
    /// Something that is no object stands on the way to a place.
    #[error("cannot descend into non-object state field '{segment}'")]
    NotAnObject {
        /// The segment that cannot be entered.
        segment: String,
    },
    /// The state would not meet its schema.
    #[error(transparent)]
    Schema(#[from] PayloadError),
    /// Several siblings write a place that takes one of them only.
    #[error("multiple sibling writes to '{path}' require a mergeable reducer")]
    SiblingConflict {
        /// The path in its canonical form.
        path: String,
    },
    /// Two siblings write places of which one lies within the other.
    #[error("overlapping sibling writes are not supported at a foreach barrier: '{first}' and '{second}'")]
    SiblingOverlap {
        /// The path of the earlier sibling.
        first: String,
        /// The path of the later sibling.
        second: String,
    },
    /// Somebody answered a number of folds that was not asked for.
    #[error("{expected} reducer results were asked for, got {got}")]
    WrongResults {
        /// How many folds were asked for.
        expected: usize,
        /// How many results came.
        got: usize,
    },
}

impl StateError {
    /// The stable code of the error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::OverlappingTargets => "state.overlapping_targets",
            Self::Reduce(error) => error.code(),
            Self::NotAnObject { .. } => "state.not_an_object",
            Self::Schema(_) => "state.schema",
            Self::SiblingConflict { .. } => "state.sibling_conflict",
            Self::SiblingOverlap { .. } => "state.sibling_overlap",
            Self::WrongResults { .. } => "state.wrong_reducer_results",
        }
    }
}

/// Why a state schema cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// The schema as a whole.
    #[error("{0}")]
    Schema(#[from] SchemaError),
    /// The reducer of one field.
    #[error("invalid reducer for state field '{field}': {cause}")]
    Reducer {
        /// The field, as `person.name`.
        field: String,
        /// What is wrong with it.
        cause: ReducerError,
    },
}

impl LayoutError {
    /// The stable code of the error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Schema(error) => error.code(),
            Self::Reducer { cause, .. } => cause.code(),
        }
    }
}
