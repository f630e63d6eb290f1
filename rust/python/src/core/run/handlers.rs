//! Which handler a call goes to.

use std::sync::{Arc, OnceLock};

use pyo3::exceptions::PyKeyError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wf_core::plan::Plan;
use wf_core::run::Call;

use super::plans::Child;
use crate::api::NativeHandler;

/// A handler, as the pump calls it.
pub(super) enum Handler {
    /// Any callable.
    Python(Py<PyAny>),
    /// A callable that asked to be run in a thread wherever it would hold up an event loop.
    Blocking(Py<PyAny>),
    /// A handler written in Rust.
    Native(Py<NativeHandler>),
    /// The registry has none.
    Missing,
}

/// The handlers of all workflows of a plan, found when they are first called.
#[derive(Default)]
pub(super) struct Handlers {
    plan: Option<Arc<Plan>>,
    workflows: Vec<WorkflowHandlers>,
}

struct WorkflowHandlers {
    registry: Py<PyAny>,
    slots: Vec<OnceLock<Handler>>,
}

impl Handlers {
    /// The handlers of a plan: the root's from `registry`, those of child workflows from their own registries.
    pub(super) fn new(py: Python<'_>, plan: &Arc<Plan>, registry: &Bound<'_, PyAny>, children: &[Child]) -> Self {
        let workflows = plan
            .workflows()
            .iter()
            .map(|workflow| {
                let child = workflow
                    .reference()
                    .map(ToString::to_string)
                    .and_then(|reference| children.iter().find(|child| child.reference == reference));
                WorkflowHandlers {
                    registry: child.map_or_else(|| registry.clone().unbind(), |child| child.registry.clone_ref(py)),
                    slots: workflow.document().node_defs.iter().map(|_| OnceLock::new()).collect(),
                }
            })
            .collect();
        Self { plan: Some(Arc::clone(plan)), workflows }
    }

    /// The handler of a call.
    pub(super) fn of_call(&self, py: Python<'_>, call: &Call) -> PyResult<&Handler> {
        static MISSING: Handler = Handler::Missing;
        let Some(workflow) = self.workflows.get(call.workflow as usize) else { return Ok(&MISSING) };
        let Some(slot) = workflow.slots.get(call.node_def as usize) else { return Ok(&MISSING) };
        if let Some(handler) = slot.get() {
            return Ok(handler);
        }
        let handler = find(workflow.registry.bind(py), self.name(call))?;
        Ok(slot.get_or_init(|| handler))
    }

    /// The name of the node that a call is for.
    pub(super) fn name(&self, call: &Call) -> &str {
        let workflow = self.plan.as_ref().and_then(|plan| plan.workflows().get(call.workflow as usize));
        workflow
            .and_then(|workflow| workflow.document().node_defs.get(call.node_def as usize))
            .map_or("", |def| &def.name)
    }
}

fn find(registry: &Bound<'_, PyAny>, name: &str) -> PyResult<Handler> {
    let py = registry.py();
    let found = match registry.cast_exact::<PyDict>() {
        Ok(dict) => dict.get_item(name)?,
        Err(_) => match registry.get_item(name) {
            Ok(handler) => Some(handler),
            Err(error) if error.is_instance_of::<PyKeyError>(py) => None,
            Err(error) => return Err(error),
        },
    };
    let Some(handler) = found else { return Ok(Handler::Missing) };
    if let Ok(native) = handler.cast::<NativeHandler>() {
        return Ok(Handler::Native(native.clone().unbind()));
    }
    let blocking =
        handler.getattr_opt(intern!(py, "__wf_blocking__"))?.is_some_and(|flag| flag.is_truthy().unwrap_or(false));
    Ok(if blocking { Handler::Blocking(handler.unbind()) } else { Handler::Python(handler.unbind()) })
}
