//! Words and failures as the Python classes of `wf_core.run_state`.

use pyo3::intern;
use pyo3::prelude::*;
use wf_core::value::{Object, Value};

use crate::convert::{object_to_python, value_to_python};

/// A member of `RunStatus`.
pub(super) fn run_status<'py>(py: Python<'py>, word: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import(intern!(py, "wf_core.run_state"))?.getattr(intern!(py, "RunStatus"))?.call1((word,))
}

/// A member of `FrameStatus`.
pub(super) fn frame_status<'py>(py: Python<'py>, word: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import(intern!(py, "wf_core.run_state"))?.getattr(intern!(py, "FrameStatus"))?.call1((word,))
}

/// A failure: its message, with the rest as attributes.
pub(super) fn run_failure<'py>(py: Python<'py>, failure: &Object) -> PyResult<Bound<'py, PyAny>> {
    let message = failure.get("message").cloned().unwrap_or_else(|| Value::from(""));
    let facts: Object =
        failure.iter().filter(|(key, _)| &***key != "message").map(|(k, v)| (k.clone(), v.clone())).collect();
    let class = py.import(intern!(py, "wf_core.run_state"))?.getattr(intern!(py, "RunFailure"))?;
    class.call((value_to_python(py, &message)?,), Some(&object_to_python(py, &facts)?))
}
