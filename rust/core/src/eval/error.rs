//! What can go wrong while bindings, expressions and conditions are evaluated.

use std::fmt;

use thiserror::Error;

/// A path that leads to nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("path '{path}' could not be resolved")]
pub struct PathError {
    /// The path in its canonical form.
    pub path: String,
}

impl PathError {
    /// The stable code of the error.
    pub fn code(&self) -> &'static str {
        "path.unresolved"
    }
}

/// Why a place of a payload cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LocalPathError {
    /// The payload has nothing at the path.
    #[error("local path '{path}' could not be resolved")]
    Unresolved {
        /// The path in its canonical form.
        path: String,
    },
    /// Something that is no object stands on the way.
    #[error("local path '{path}' overlaps an existing value")]
    Overlap {
        /// The path in its canonical form.
        path: String,
    },
    /// The whole payload can only be an object.
    #[error("root local path requires a mapping value")]
    RootNeedsObject,
}

impl LocalPathError {
    /// The stable code of the error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unresolved { .. } => "local_path.unresolved",
            Self::Overlap { .. } => "local_path.overlap",
            Self::RootNeedsObject => "local_path.root_needs_object",
        }
    }
}

/// A binding that could not fill its place.
///
/// Displays as `<label> <place>: <cause>`, for example
/// `node 'work' input request.items[0]: path 'state.missing' could not be resolved`; without a label, as the cause
/// alone.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct BindingError {
    /// What was being built, for example `node 'work' input`.
    pub label: String,
    /// The place in the payload, with the steps of an expression.
    pub place: String,
    /// Why.
    pub cause: BindingCause,
}

impl fmt::Display for BindingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.label.is_empty() {
            write!(f, "{} {}: ", self.label, self.place)?;
        }
        self.cause.fmt(f)
    }
}

/// Why a binding could not fill its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BindingCause {
    /// Its source leads to nothing.
    #[error(transparent)]
    Source(#[from] PathError),
    /// Its target cannot take the value.
    #[error(transparent)]
    Target(#[from] LocalPathError),
}

impl BindingError {
    /// The stable code of the error.
    pub fn code(&self) -> &'static str {
        match self.cause {
            BindingCause::Source(_) => "binding.unresolved",
            BindingCause::Target(_) => "binding.target",
        }
    }
}

/// Why a condition has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ConditionError {
    /// An operand leads to nothing.
    #[error(transparent)]
    Operand(#[from] PathError),
    /// The operands have no order.
    #[error("'{operator}' not supported between instances of '{left}' and '{right}'")]
    NoOrder {
        /// The operator as Python writes it.
        operator: &'static str,
        /// The kind of the left operand.
        left: &'static str,
        /// The kind of the right operand.
        right: &'static str,
    },
}

impl ConditionError {
    /// The stable code of the error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Operand(_) => "condition.unresolved",
            Self::NoOrder { .. } => "condition.not_comparable",
        }
    }
}
