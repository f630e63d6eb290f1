//! What can go wrong with a reducer.

use std::sync::Arc;

use thiserror::Error;

use crate::schema::PayloadError;
use crate::value::Value;

/// Why a value could not be merged into the state.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message} at '{path}'")]
pub struct ReduceError {
    /// What the reducer could not take.
    pub message: String,
    /// The state path, in its canonical form.
    pub path: Arc<str>,
}

impl ReduceError {
    /// The stable code of the error.
    pub fn code(&self) -> &'static str {
        "reducer.type_mismatch"
    }
}

/// Why a reducer cannot be used for a field.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReducerError {
    /// There is no reducer of that name.
    #[error("unknown reducer '{name}'")]
    Unknown {
        /// The name.
        name: String,
    },
    /// Its configuration does not meet its schema.
    #[error(transparent)]
    Config(PayloadError),
    /// Its specification holds no usable schema.
    #[error("reducer config for '{name}' has invalid schema: {message}")]
    ConfigSchema {
        /// The name.
        name: String,
        /// What is wrong with the schema.
        message: String,
    },
}

impl ReducerError {
    /// The stable code of the error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "reducer.unknown",
            Self::Config(_) => "reducer.config_invalid",
            Self::ConfigSchema { .. } => "reducer.config_schema_invalid",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => {
                "use a built-in reducer (wf.std.replace, append, merge_object, add, set_union, max) or pass this one along"
            }
            Self::Config(_) => "correct the field's reducer config",
            Self::ConfigSchema { .. } => "correct the config schema of the reducer's specification",
        }
    }
}

/// The name Python gives the type of a value; messages of reducers and conditions use it.
pub(crate) fn python_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "NoneType",
        Value::Bool(_) => "bool",
        Value::Int(_) | Value::BigInt(_) => "int",
        Value::Float(_) => "float",
        Value::String(_) => "str",
        Value::List(_) => "list",
        Value::Object(_) => "dict",
    }
}
