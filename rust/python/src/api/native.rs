//! Handlers that are written in Rust, as Python sees them.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use wf_api::handler::{NodeContext, NodeHandler};
use wf_api::std_nodes::{StdNode, std_node, std_nodes};
use wf_core::document::NodeResult;
use wf_core::value::{Object, Value};
use wf_platform::capability::SchemaSide;

use super::errors::handler_error;
use crate::convert::{Instances, object_to_python, to_object, value_to_python};
use crate::error::no_object;

/// Registers the classes and functions of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NativeHandler>()?;
    module.add_function(wrap_pyfunction!(std_handler, module)?)?;
    module.add_function(wrap_pyfunction!(std_contracts, module)?)
}

/// A handler of the standard library. Drivers call it without entering Python; Python may call it like any other.
#[pyclass(name = "NativeHandler", module = "_wf._native.api", frozen)]
pub(crate) struct NativeHandler(&'static StdNode);

impl NativeHandler {
    /// Executes the node on values that are in Rust already; a driver's way in.
    pub(crate) fn run(&self, py: Python<'_>, input: &Object) -> PyResult<NodeResult> {
        self.0.call(input, &NodeContext::default()).map_err(|error| handler_error(py, error))
    }
}

#[pymethods]
impl NativeHandler {
    /// The name within `wf.std`.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// Executes the node once, as an engine would.
    #[pyo3(signature = (payload, ctx = None, /))]
    fn __call__<'py>(
        &self,
        payload: &Bound<'py, PyAny>,
        ctx: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        // The standard nodes look at nothing but their payload.
        let _ = ctx;
        let py = payload.py();
        let place = format!("payload of `wf.std.{}`", self.name());
        let input = to_object(payload, Instances::Refuse)
            .map_err(|error| error.into_exception(py, Some(&place)))?
            .ok_or_else(|| no_object(py, &place))?;
        let result = self.run(py, &input)?;
        let answer = PyDict::new(py);
        answer.set_item("outcome", &*result.outcome)?;
        answer.set_item("output", object_to_python(py, &result.output)?)?;
        Ok(answer)
    }

    fn __repr__(&self) -> String {
        format!("<native handler wf.std.{}>", self.name())
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (&'static str,))> {
        let py = slf.py();
        Ok((py.import("_wf._native")?.getattr("api")?.getattr("std_handler")?.unbind(), (slf.get().name(),)))
    }
}

/// The handler of a standard node, by its name within `wf.std`.
#[pyfunction]
#[pyo3(signature = (name, /))]
fn std_handler(name: &str) -> PyResult<NativeHandler> {
    std_node(name)
        .map(|node| NativeHandler(node))
        .ok_or_else(|| pyo3::exceptions::PyKeyError::new_err(format!("there is no standard node `{name}`")))
}

/// The contracts of all standard nodes, in the order in which they are published.
#[pyfunction]
fn std_contracts(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for node in std_nodes() {
        let contract = node.contract();
        let outcomes: Vec<Value> = contract.def.outcomes.iter().map(|outcome| outcome.clone().into()).collect();
        let mut object = Object::new();
        object.insert("name", Arc::clone(node.name()));
        object.insert("description", contract.description.clone());
        object.insert("outcomes", outcomes);
        object.insert("input_schema", contract.schema(SchemaSide::Input).clone());
        object.insert("output_schema", contract.schema(SchemaSide::Output).clone());
        list.append(value_to_python(py, &object.into())?)?;
    }
    Ok(list)
}
