//! The submodule `_wf._native.api`: platform contexts, built-in nodes, stores and application operations.

use pyo3::prelude::*;

/// Registers the classes and functions of this room.
pub(crate) fn register(_module: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}
