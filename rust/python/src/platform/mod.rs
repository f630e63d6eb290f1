//! The submodule `_wf._native.platform`: sources, capability references, artifacts and deployments.

use pyo3::prelude::*;

/// Registers the classes and functions of this room.
pub(crate) fn register(_module: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}
