//! Custom reducers: written in Python, called when the machine asks for a merge.

use std::collections::HashMap;
use std::sync::Arc;

use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use wf_core::plan::Plan;
use wf_core::run::{CallError, CallId, Fold, Reduce};
use wf_core::value::Value;

use super::failures::call_error;
use super::plans::{CustomReducer, Surroundings};
use crate::convert::{Instances, object_to_python, to_value, value_to_python};
use crate::error::execution_error;

/// The custom reducers of all workflows of a plan.
#[derive(Default)]
pub(super) struct Reducers(Vec<HashMap<Arc<str>, Py<PyAny>>>);

/// The merged values, and what a reducer raised, if one did.
pub(super) type Merged = (Vec<Result<Value, CallError>>, Option<(CallId, PyErr)>);

impl Reducers {
    /// The reducers of a plan.
    pub(super) fn new(py: Python<'_>, plan: &Plan, around: &Surroundings) -> Self {
        let table = |reducers: &[CustomReducer]| {
            reducers
                .iter()
                .map(|reducer| (Arc::clone(&reducer.spec.name), reducer.definition.clone_ref(py)))
                .collect::<HashMap<_, _>>()
        };
        let tables = plan.workflows().iter().map(|workflow| match workflow.reference().map(ToString::to_string) {
            None => table(&around.reducers),
            Some(reference) => around
                .children
                .iter()
                .find(|child| child.reference == reference)
                .map_or_else(HashMap::new, |child| table(&child.reducers)),
        });
        Self(tables.collect())
    }

    /// Executes a merge.
    ///
    /// # Errors
    /// What a reducer raised that is no `Exception`.
    pub(super) fn merge(&self, py: Python<'_>, reduce: &Reduce) -> PyResult<Merged> {
        let mut raised = None;
        let mut merged = Vec::with_capacity(reduce.folds.len());
        for fold in &reduce.folds {
            match self.fold(py, reduce.workflow, fold) {
                Ok(value) => merged.push(Ok(value)),
                Err(error) if error.is_instance_of::<PyException>(py) => {
                    merged.push(Err(call_error(py, &error)));
                    raised.get_or_insert((reduce.id, error));
                }
                Err(error) => return Err(error),
            }
        }
        Ok((merged, raised))
    }

    fn fold(&self, py: Python<'_>, workflow: u32, fold: &Fold) -> PyResult<Value> {
        let Some(definition) = self.0.get(workflow as usize).and_then(|table| table.get(&fold.reducer)) else {
            let message = format!("unknown reducer '{}'", fold.reducer);
            return Err(execution_error(py, "reducer.unknown", message, None));
        };
        let definition = definition.bind(py);
        let function = definition.getattr(intern!(py, "fn"))?;
        let takes_config = definition.getattr(intern!(py, "accepts_config"))?.is_truthy()?;
        let mut current = fold.current.clone();
        for incoming in &fold.incoming {
            let pair = (value_to_python(py, &current)?, value_to_python(py, incoming)?);
            let merged = if takes_config {
                function.call1((pair.0, pair.1, object_to_python(py, &fold.config)?))
            } else {
                function.call1(pair)
            };
            let merged = merged.map_err(|error| explained(py, error, &fold.path))?;
            current = to_value(&merged, Instances::Refuse).map_err(|error| {
                error.into_exception(py, Some(&format!("reducer '{}' at '{}'", fold.reducer, fold.path)))
            })?;
        }
        Ok(current)
    }
}

/// Values of types that a reducer cannot merge make the run fail, and the text says where, as
/// `ReducerDefinition.apply` has it; every other exception passes as it is.
fn explained(py: Python<'_>, error: PyErr, path: &str) -> PyErr {
    if !error.is_instance_of::<PyTypeError>(py) {
        return error;
    }
    let message = format!("{} at '{path}'", error.value(py));
    let explained = execution_error(py, "reducer.types", message, None);
    explained.set_cause(py, Some(error));
    explained
}
