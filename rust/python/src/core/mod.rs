//! The submodule `_wf._native.core`: documents, paths, validation and runs.

mod evaluation;
mod models;
mod run;
mod validation;
mod values;

pub(crate) use run::{PyPump, PyRunState, refused, stored_pump};

use pyo3::prelude::*;

/// Registers the classes and functions of this room.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    models::register(module)?;
    run::register(module)?;
    evaluation::register(module)?;
    validation::register(module)?;
    values::register(module)
}
