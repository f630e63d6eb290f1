//! Documents as Python classes.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use wf_core::value::Value;

use crate::convert::{Instances, NotJson, Problem, to_value};

/// Whether an object is a document or a pydantic model: something that has a JSON form of its own.
pub(crate) fn is_instance(object: &Bound<'_, PyAny>) -> bool {
    object.get_type().hasattr("model_dump").unwrap_or(false)
}

/// The JSON form of a document or a pydantic model, by alias.
pub(crate) fn dump_instance(object: &Bound<'_, PyAny>) -> Result<Value, NotJson> {
    let py = object.py();
    let raised = |cause| NotJson::new(Problem::Model, object).caused_by(cause);
    let dumped = (|| {
        let options = PyDict::new(py);
        options.set_item("mode", "json")?;
        options.set_item("by_alias", true)?;
        object.call_method("model_dump", (), Some(&options))
    })()
    .map_err(raised)?;
    to_value(&dumped, Instances::Refuse)
}
