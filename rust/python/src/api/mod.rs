//! The submodule `_wf._native.api`: platform contexts, built-in nodes, stores and application operations.

mod application;
mod builtin;
mod control;
mod errors;
mod files;
mod native;
mod platform;
mod prepared;
mod resources;

pub(crate) use errors::api_error;
pub(crate) use native::NativeHandler;

use pyo3::prelude::*;

/// Registers the classes and functions of this room.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    application::register(module)?;
    builtin::register(module)?;
    control::register(module)?;
    files::register(module)?;
    native::register(module)?;
    platform::register(module)?;
    prepared::register(module)?;
    resources::register(module)
}
