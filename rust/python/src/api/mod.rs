//! The submodule `_wf._native.api`: platform contexts, built-in nodes, stores and application operations.

mod errors;
mod files;
mod native;
mod platform;
mod resources;

pub(crate) use native::NativeHandler;

use pyo3::prelude::*;

/// Registers the classes and functions of this room.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    files::register(module)?;
    native::register(module)?;
    platform::register(module)?;
    resources::register(module)
}
