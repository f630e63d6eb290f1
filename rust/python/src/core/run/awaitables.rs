//! Telling what has to be awaited.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

use crate::core::models::PyNodeResult;

/// Whether an answer has to be awaited.
pub(super) fn is_awaitable(answer: &Bound<'_, PyAny>) -> PyResult<bool> {
    if answer.is_exact_instance_of::<PyDict>() || answer.is_exact_instance_of::<PyNodeResult>() {
        return Ok(false);
    }
    let py = answer.py();
    let class = answer.get_type();
    Ok(class.is(coroutine_type(py)?) || class.hasattr(intern!(py, "__await__"))?)
}

fn coroutine_type(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static COROUTINE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class =
        COROUTINE.get_or_try_init(py, || PyResult::Ok(py.import("types")?.getattr("CoroutineType")?.unbind()))?;
    Ok(class.bind(py))
}

/// Whether calling a function gives a coroutine.
pub(super) fn is_coroutine_function(function: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = function.py();
    let check = py.import(intern!(py, "inspect"))?.getattr(intern!(py, "iscoroutinefunction"))?;
    let is_one = |object: &Bound<'_, PyAny>| check.call1((object,))?.is_truthy();
    Ok(is_one(function)? || is_one(&function.getattr(intern!(py, "__call__"))?)?)
}
