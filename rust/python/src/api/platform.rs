//! A Python object behind the Rust platform context.
//!
//! Inside a Python run everything stays on the caller's event loop: Python code awaits the object's own methods.
//! This adapter is for Rust code that asks a platform: it calls the object while attached to the interpreter, and
//! an awaitable that the object returns runs to its end on an event loop of its own.

use std::sync::Arc;

use pyo3::exceptions::{PyFileNotFoundError, PyPermissionError, PyTimeoutError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use wf_api::resource::{
    Cause, PlatformContext, ReadFuture, ReadRequest, ResourceError, ResourcePayload, read_resource,
};
use wf_core::document::Document as _;

use super::errors::{is_resource_error, resource_error};
use super::resources::{RawBounds, payload_value};
use crate::convert::value_to_python;

/// Registers the functions of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(explained, module)?)?;
    module.add_function(wrap_pyfunction!(read_resource_now, module)?)
}

/// A platform context that is a Python object with `resolve_source` and `read_resource`, sync or async.
pub(crate) struct PyPlatform(Py<PyAny>);

impl PyPlatform {
    /// Wraps an object; what it lacks shows when it is asked.
    pub(crate) fn new(object: Py<PyAny>) -> Self {
        Self(object)
    }

    /// What the object's `read_resource` answers, once it is there.
    fn answer(&self, py: Python<'_>, request: &ReadRequest) -> PyResult<Py<PyAny>> {
        let bounds = request.bounds;
        let numbers = (bounds.max_chars(), bounds.offset(), bounds.max_blob_bytes());
        let read = py.import("wf_api._readers")?.getattr("read_to_end")?;
        Ok(read.call1((&self.0, &*request.source_id, &*request.uri, numbers))?.unbind())
    }
}

impl PlatformContext for PyPlatform {
    fn resolve_source(&self, logical_source: &str) -> Result<Arc<str>, ResourceError> {
        Python::attach(|py| {
            let resolved = self.0.call_method1(py, "resolve_source", (logical_source,))?;
            Ok(Arc::from(resolved.bind(py).cast::<PyString>()?.to_str()?))
        })
        .map_err(|cause: PyErr| ResourceError::ResolveFailed {
            logical_source: Arc::from(logical_source),
            cause: Cause(Box::new(cause)),
        })
    }

    fn read_resource<'a>(&'a self, request: &'a ReadRequest) -> ReadFuture<'a> {
        let read = Python::attach(|py| {
            let answer =
                self.answer(py, request).map_err(|error| reader_failed(py, error, &request.source_id, &request.uri))?;
            ResourcePayload::parse(&payload_value(answer.bind(py), request)?, request)
        });
        Box::pin(std::future::ready(read))
    }
}

/// Turns what a Python reader raised into an error that names source, URI and cause.
fn reader_failed(py: Python<'_>, error: PyErr, source_id: &str, uri: &str) -> ResourceError {
    let (source_id, uri) = (Arc::from(source_id), Arc::from(uri));
    if error.is_instance_of::<PyFileNotFoundError>(py) {
        ResourceError::Missing { source_id, uri }
    } else if error.is_instance_of::<PyPermissionError>(py) {
        ResourceError::AccessDenied { source_id, uri, cause: error.into() }
    } else if error.is_instance_of::<PyTimeoutError>(py) {
        ResourceError::TimedOut { source_id, uri, cause: Cause(Box::new(error)) }
    } else {
        ResourceError::ReaderFailed { source_id, uri, cause: Cause(Box::new(error)) }
    }
}

/// The exception to raise for what a reader raised; one that says everything already is raised as it is.
#[pyfunction]
#[pyo3(signature = (error, source_id, uri, /))]
fn explained<'py>(error: &Bound<'py, PyAny>, source_id: &str, uri: &str) -> PyResult<Bound<'py, PyAny>> {
    let py = error.py();
    if is_resource_error(error)? {
        return Ok(error.clone());
    }
    let failure = reader_failed(py, PyErr::from_value(error.clone()), source_id, uri);
    Ok(resource_error(py, &failure).into_value(py).into_bound(py).into_any())
}

/// Dereferences a resource ref and waits for the result.
#[pyfunction]
#[pyo3(signature = (platform, logical_source, uri, mime_type, bounds, /))]
fn read_resource_now<'py>(
    py: Python<'py>,
    platform: Option<Py<PyAny>>,
    logical_source: &str,
    uri: &str,
    mime_type: Option<&str>,
    bounds: RawBounds,
) -> PyResult<Bound<'py, PyAny>> {
    let platform = platform.map(PyPlatform::new);
    let output = bounds.check().and_then(|bounds| {
        py.detach(|| {
            let platform = platform.as_ref().map(|platform| platform as &dyn PlatformContext);
            pyo3_async_runtimes::tokio::get_runtime().block_on(read_resource(
                platform,
                logical_source,
                Arc::from(uri),
                mime_type.map(Arc::from),
                bounds,
            ))
        })
    });
    value_to_python(py, &output.map_err(|error| resource_error(py, &error))?.dump())
}
