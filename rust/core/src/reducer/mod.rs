//! Reducers: how a write to a state field merges with what is there.
//!
//! Six are built in and run here. Custom reducers are only known here by their contract (configuration schema,
//! sibling policy); the run machine asks its driver to execute them.

mod builtin;
mod error;
mod fold;
mod number;

use std::sync::Arc;

use crate::document::{ReducerRef, ReducerSpec, SiblingWritePolicy};
use crate::schema::CompiledSchema;
use crate::value::Object;

pub use builtin::BuiltinReducer;
pub use error::{ReduceError, ReducerError};
pub use fold::Merged;

pub(crate) use error::python_type;

/// The custom reducers that a caller brings along, by qualified name.
///
/// A name of a built-in reducer may be among them; then it replaces the built-in one.
pub trait ReducerSet {
    /// The contract of the custom reducer of that name.
    fn spec(&self, name: &str) -> Option<&ReducerSpec>;
}

/// No custom reducers.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCustomReducers;

impl ReducerSet for NoCustomReducers {
    fn spec(&self, _name: &str) -> Option<&ReducerSpec> {
        None
    }
}

/// The reducer of a field.
#[derive(Clone, Debug)]
pub enum Reducer {
    /// Runs here.
    Builtin(BuiltinReducer),
    /// Runs wherever the driver runs it.
    Custom(Arc<CustomReducer>),
}

/// A custom reducer with the configuration a field gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomReducer {
    /// Its qualified name.
    pub name: Arc<str>,
    /// The configuration; it has been checked.
    pub config: Object,
    /// Whether several siblings may write the field.
    pub sibling_writes: SiblingWritePolicy,
}

impl Reducer {
    /// Finds the reducer a field refers to, custom ones first, and checks its configuration.
    ///
    /// # Errors
    /// There is none of that name, or the configuration does not meet its schema.
    pub fn find(reference: &ReducerRef, custom: &dyn ReducerSet) -> Result<Self, ReducerError> {
        let name = reference.capability.to_string();
        if let Some(spec) = custom.spec(&name) {
            check_config(&name, &spec.config_schema, &reference.config)?;
            return Ok(Self::Custom(Arc::new(CustomReducer {
                name: name.into(),
                config: reference.config.clone(),
                sibling_writes: spec.sibling_write_policy,
            })));
        }
        let Some(builtin) = BuiltinReducer::from_name(&name) else {
            return Err(ReducerError::Unknown { name });
        };
        if !reference.config.is_empty() {
            check_config(&name, &builtin.spec().config_schema, &reference.config)?;
        }
        Ok(Self::Builtin(builtin))
    }

    /// Whether several siblings may write the same field.
    pub fn sibling_writes(&self) -> SiblingWritePolicy {
        match self {
            Self::Builtin(builtin) => builtin.sibling_writes(),
            Self::Custom(custom) => custom.sibling_writes,
        }
    }

    /// The qualified name.
    pub fn name(&self) -> &str {
        match self {
            Self::Builtin(builtin) => builtin.name(),
            Self::Custom(custom) => &custom.name,
        }
    }
}

fn check_config(name: &str, schema: &Object, config: &Object) -> Result<(), ReducerError> {
    let schema = CompiledSchema::compile(schema)
        .map_err(|error| ReducerError::ConfigSchema { name: name.to_owned(), message: error.to_string() })?;
    schema.check_object(config, format_args!("reducer config for '{name}'")).map_err(ReducerError::Config)
}
