//! Handlers written in Rust.

use std::sync::Arc;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use wf_api::handler::{HandlerError, NodeContext, NodeHandler};
use wf_core::document::NodeResult;
use wf_core::run::CallError;
use wf_core::value::Object;

use crate::convert::{Instances, to_object};
use crate::document::show;

/// A handler written in Rust. The drivers call it without making Python objects; from Python it is a callable like
/// any other.
#[pyclass(name = "NativeHandler", module = "wf_core.runtime", frozen)]
pub(crate) struct PyNativeHandler {
    name: String,
    handler: Arc<dyn NodeHandler>,
}

impl PyNativeHandler {
    /// A handler under a name, for its repr.
    #[expect(dead_code, reason = "the standard nodes use it")]
    pub(crate) fn new(name: impl Into<String>, handler: Arc<dyn NodeHandler>) -> Self {
        Self { name: name.into(), handler }
    }

    /// The handler itself.
    pub(super) fn handler(&self) -> Arc<dyn NodeHandler> {
        Arc::clone(&self.handler)
    }
}

/// Calls a native handler.
pub(super) fn call(handler: &dyn NodeHandler, input: &Object) -> Result<NodeResult, CallError> {
    handler.call(input, &NodeContext::default()).map_err(|error| kept(&error))
}

/// What the machine keeps of a native handler's error.
fn kept(error: &HandlerError) -> CallError {
    let mut call_error = CallError::new(error.type_name, error.message.as_str());
    if let Some(code) = error.code {
        call_error.data.insert("code", code);
    }
    if let Some(cause) = &error.cause {
        call_error.data.insert("cause", [("message", cause.to_string())].into_iter().collect::<Object>());
    }
    call_error
}

#[pymethods]
impl PyNativeHandler {
    fn __call__<'py>(&self, payload: &Bound<'py, PyAny>, context: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let _ = context;
        let py = payload.py();
        let input = to_object(payload, Instances::Refuse)
            .map_err(|error| error.into_exception(py, Some("payload")))?
            .unwrap_or_default();
        match self.handler.call(&input, &NodeContext::default()) {
            Ok(result) => show(py, result),
            Err(error) => Err(exception(py, &error)),
        }
    }

    fn __repr__(&self) -> String {
        format!("NativeHandler({:?})", self.name)
    }
}

/// A native handler's error as the built-in exception that its type name names.
fn exception(py: Python<'_>, error: &HandlerError) -> PyErr {
    let class = py.import("builtins").and_then(|builtins| builtins.getattr(error.type_name));
    match class.and_then(|class| class.call1((error.message.as_str(),))) {
        Ok(exception) => PyErr::from_value(exception),
        Err(_) => PyRuntimeError::new_err(error.message.clone()),
    }
}
