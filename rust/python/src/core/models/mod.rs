//! The documents of a workflow as classes.

mod bindings;
mod conditions;
mod expressions;
mod paths;
mod reducers;
mod refs;
mod schemas;
mod steps;
mod workflow;

pub(crate) use reducers::PyReducerSpec;
pub(crate) use workflow::{PyNodeResult, PyWorkflow};

use pyo3::prelude::*;

use crate::document::PyDocument;

/// Registers the classes of this folder.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyDocument>()?;
    paths::register(module)?;
    refs::register(module)?;
    schemas::register(module)?;
    reducers::register(module)?;
    expressions::register(module)?;
    bindings::register(module)?;
    conditions::register(module)?;
    steps::register(module)?;
    workflow::register(module)
}
