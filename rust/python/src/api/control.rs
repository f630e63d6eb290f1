//! `Control`: the operations of the control plane, for Python.

use std::sync::Arc;

use pyo3::prelude::*;
use wf_api::admin::{ProviderFailure, SourceProvider, add_system_sources, operations};
use wf_api::operations::Application;
use wf_core::value::{Object, Value};
use wf_platform::source::CapabilitySource;

use super::application::PyApplication;
use super::errors::api_error;
use crate::convert::{Instances, to_value, value_to_python};
use crate::platform::{Handle, PyCapabilitySource, platform_error};

/// What operators do with an application.
#[pyclass(name = "Control", module = "_wf._native.api", frozen)]
pub(crate) struct PyControl(Application<Handle>);

/// Registers the class of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyControl>()
}

/// A Python callable that gives a source.
struct Loader(Py<PyAny>);

impl SourceProvider<Handle> for Loader {
    fn load(&self) -> Result<CapabilitySource<Handle>, ProviderFailure> {
        Python::attach(|py| {
            let loaded = self.0.bind(py).call0().and_then(|given| {
                let source = given.cast_into::<PyCapabilitySource>()?;
                Ok(source.get().source().clone())
            });
            loaded.map_err(|error| ProviderFailure {
                error_type: error.get_type(py).name().map_or_else(|_| "Exception".to_owned(), |name| name.to_string()),
                message: error.value(py).to_string(),
            })
        })
    }
}

#[pymethods]
impl PyControl {
    #[new]
    #[pyo3(signature = (application, /))]
    fn __new__(application: &PyApplication) -> Self {
        Self(application.shared())
    }

    /// Every operation: name, title, description, permission, and the schemas of arguments and result.
    #[staticmethod]
    fn operations(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let rows: Vec<Value> = operations::<Handle>()
            .iter()
            .map(|row| {
                let operation = &row.operation;
                Value::Object(Object::from_iter([
                    ("name", Value::from(operation.name)),
                    ("title", Value::from(operation.title)),
                    ("description", Value::from(operation.description)),
                    ("permission", Value::from(operation.permission.as_str())),
                    ("input_schema", (operation.input)()),
                    ("output_schema", (operation.output)()),
                ]))
            })
            .collect();
        value_to_python(py, &Value::from(rows))
    }

    /// Executes an operation on behalf of an actor.
    #[pyo3(signature = (name, arguments, actor, /))]
    fn run<'py>(&self, name: &str, arguments: &Bound<'py, PyAny>, actor: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = arguments.py();
        let arguments =
            to_value(arguments, Instances::Dump).map_err(|error| error.into_exception(py, Some("arguments")))?;
        let result = py.detach(|| self.0.run_admin(name, &arguments, actor)).map_err(|error| api_error(py, &error))?;
        value_to_python(py, &result)
    }

    /// Makes the stored policies and connections hold in this process.
    fn apply_settings(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.0.apply_settings()).map_err(|error| api_error(py, &error))
    }

    /// Adds the sources of the platform that need an application.
    fn add_system_sources(&self, py: Python<'_>) -> PyResult<()> {
        add_system_sources(self.0.registry()).map_err(|error| platform_error(py, &error))
    }

    /// Says what reads a source whenever it is enabled or refreshed.
    #[pyo3(signature = (source_id, load, /))]
    fn provide(&self, source_id: &str, load: Py<PyAny>) {
        self.0.provide(source_id, Arc::new(Loader(load)));
    }
}
