//! JSON values as such.

use pyo3::prelude::*;

use crate::convert::{Instances, to_value, value_to_python};

/// Registers the functions of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(validate_strict_json_value, module)?)
}

/// Checks that a value is JSON and returns a copy of it.
#[pyfunction]
#[pyo3(signature = (value, /))]
fn validate_strict_json_value<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let json = to_value(value, Instances::Refuse).map_err(|error| error.into_exception(py, None))?;
    value_to_python(py, &json)
}
