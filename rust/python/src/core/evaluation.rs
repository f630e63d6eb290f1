//! Parts of the engine that make sense on their own: conditions, reducers, schema checks.

use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use wf_core::document::{Condition, Document};
use wf_core::eval::{ContextLookup, View};
use wf_core::reducer::BuiltinReducer;
use wf_core::schema::CompiledSchema;
use wf_core::value::{Object, Value};

use crate::convert::{Instances, to_object, to_value, value_to_python};
use crate::document::{document_error, show};
use crate::error::{execution_error, no_object};

fn object(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Object> {
    to_object(object, Instances::Dump)
        .map_err(|error| error.into_exception(object.py(), Some(what)))?
        .ok_or_else(|| no_object(object.py(), what))
}

/// A context that holds nothing but the outcome of the step before.
struct PriorOutcome(Option<Arc<str>>);

impl ContextLookup for PriorOutcome {
    fn get(&self, key: &str) -> Option<Value> {
        (key == "prior_outcome").then(|| self.0.clone().into())
    }

    fn all(&self) -> Object {
        Object::from_iter([("prior_outcome", Value::from(self.0.clone()))])
    }
}

/// Decides a condition.
#[pyfunction]
#[pyo3(signature = (condition, state, workflow_input, prior_outcome = None))]
fn eval_condition(
    condition: &Bound<'_, PyAny>,
    state: &Bound<'_, PyAny>,
    workflow_input: &Bound<'_, PyAny>,
    prior_outcome: Option<String>,
) -> PyResult<bool> {
    let py = condition.py();
    let condition =
        to_value(condition, Instances::Dump).map_err(|error| error.into_exception(py, Some("condition")))?;
    let condition = Condition::parse(&condition).map_err(|error| document_error(py, &error))?;
    let (state, input) = (object(state, "state")?, object(workflow_input, "workflow input")?);
    let context = PriorOutcome(prior_outcome.map(Into::into));
    let view = View { input: &input, state: &state, context: &context };
    wf_core::eval::eval_condition(&condition, &view)
        .map_err(|error| execution_error(py, error.code(), error.to_string(), None))
}

/// The contracts of the built-in reducers.
#[pyfunction]
fn builtin_reducer_specs(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyAny>>> {
    BuiltinReducer::ALL.iter().map(|reducer| show(py, reducer.spec())).collect()
}

/// Merges two values by a built-in reducer.
#[pyfunction]
#[pyo3(signature = (name, current, incoming, /))]
fn merge_builtin<'py>(
    name: &str,
    current: &Bound<'py, PyAny>,
    incoming: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = current.py();
    let read = |value, what| to_value(value, Instances::Refuse).map_err(|error| error.into_exception(py, Some(what)));
    let (current, incoming) = (read(current, "current value")?, read(incoming, "incoming value")?);
    let reducer = BuiltinReducer::from_name(name)
        .ok_or_else(|| PyValueError::new_err(format!("`{name}` is no built-in reducer")))?;
    let current = (!current.is_null()).then_some(current);
    let merged = reducer
        .merge(current.as_ref(), &incoming, &Arc::from("state"))
        .map_err(|error| PyTypeError::new_err(error.message))?;
    value_to_python(py, &merged)
}

/// Checks a value against a JSON Schema; the label begins the message.
#[pyfunction]
#[pyo3(signature = (schema, payload, label, /))]
fn check_payload(schema: &Bound<'_, PyAny>, payload: &Bound<'_, PyAny>, label: &str) -> PyResult<()> {
    let py = schema.py();
    let schema = object(schema, "schema")?;
    let schema = CompiledSchema::compile(&schema)
        .map_err(|error| execution_error(py, "schema.invalid", format!("{label} has invalid schema: {error}"), None))?;
    let payload = to_value(payload, Instances::Refuse).map_err(|error| error.into_exception(py, Some(label)))?;
    schema.check(&payload, label).map_err(|error| execution_error(py, "payload.invalid", error.to_string(), None))
}

/// Registers the functions of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(eval_condition, module)?)?;
    module.add_function(wrap_pyfunction!(builtin_reducer_specs, module)?)?;
    module.add_function(wrap_pyfunction!(merge_builtin, module)?)?;
    module.add_function(wrap_pyfunction!(check_payload, module)?)
}
