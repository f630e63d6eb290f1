//! `RuntimeContext`: what a handler learns about its call besides the payload.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wf_core::run::CallContext;

use crate::convert::object_to_python;

/// What a handler learns about its call besides the payload.
///
/// A driver makes one per call. Nothing but the platform object is made before it is asked for.
#[pyclass(name = "RuntimeContext", module = "wf_core.run_state", frozen)]
pub(crate) struct PyRuntimeContext {
    data: Data,
    platform: Option<Py<PyAny>>,
}

enum Data {
    /// Of a call of a run.
    Call(CallContext),
    /// Made by hand, for a handler that is called without a run.
    Given(Box<Given>),
}

struct Given {
    current_node_id: String,
    frame_id: String,
    scope_id: String,
    lineage_id: String,
    parent_lineage_id: Option<String>,
    retry_count: u32,
    prior_outcome: Option<String>,
    activated_incoming_edge: Option<String>,
    metadata: Option<Py<PyDict>>,
    run_id: Option<String>,
    call_id: Option<String>,
}

impl PyRuntimeContext {
    /// The context of a call.
    pub(crate) fn of_call(context: CallContext, platform: Option<Py<PyAny>>) -> Self {
        Self { data: Data::Call(context), platform }
    }
}

#[pymethods]
impl PyRuntimeContext {
    #[new]
    #[pyo3(signature = (
        current_node_id, frame_id = "root".to_owned(), scope_id = "root".to_owned(), lineage_id = "root".to_owned(),
        parent_lineage_id = None, retry_count = 0, prior_outcome = None, activated_incoming_edge = None,
        metadata = None, platform = None, *, run_id = None, call_id = None
    ), text_signature = "(current_node_id, frame_id='root', scope_id='root', lineage_id='root', \
                         parent_lineage_id=None, retry_count=0, prior_outcome=None, activated_incoming_edge=None, \
                         metadata=None, platform=None, *, run_id=None, call_id=None)")]
    #[expect(clippy::too_many_arguments, reason = "one per field of the record")]
    fn __new__(
        current_node_id: String,
        frame_id: String,
        scope_id: String,
        lineage_id: String,
        parent_lineage_id: Option<String>,
        retry_count: u32,
        prior_outcome: Option<String>,
        activated_incoming_edge: Option<String>,
        metadata: Option<Py<PyDict>>,
        platform: Option<Py<PyAny>>,
        run_id: Option<String>,
        call_id: Option<String>,
    ) -> Self {
        let given = Given {
            current_node_id,
            frame_id,
            scope_id,
            lineage_id,
            parent_lineage_id,
            retry_count,
            prior_outcome,
            activated_incoming_edge,
            metadata,
            run_id,
            call_id,
        };
        Self { data: Data::Given(Box::new(given)), platform }
    }

    /// The id of the step.
    #[getter]
    fn current_node_id(&self) -> &str {
        match &self.data {
            Data::Call(context) => context.node_id(),
            Data::Given(given) => &given.current_node_id,
        }
    }

    /// The frame's id, such as `root:each:1`.
    #[getter]
    fn frame_id(&self) -> String {
        match &self.data {
            Data::Call(context) => context.frame_id(),
            Data::Given(given) => given.frame_id.clone(),
        }
    }

    /// The scope's id.
    #[getter]
    fn scope_id(&self) -> String {
        match &self.data {
            Data::Call(context) => context.scope_id(),
            Data::Given(given) => given.scope_id.clone(),
        }
    }

    /// The lineage's id.
    #[getter]
    fn lineage_id(&self) -> String {
        match &self.data {
            Data::Call(context) => context.lineage_id(),
            Data::Given(given) => given.lineage_id.clone(),
        }
    }

    /// The id of the lineage around it; `None` for the root lineage of a scope.
    #[getter]
    fn parent_lineage_id(&self) -> Option<String> {
        match &self.data {
            Data::Call(context) => context.parent_lineage_id(),
            Data::Given(given) => given.parent_lineage_id.clone(),
        }
    }

    /// How many attempts failed before this one.
    #[getter]
    fn retry_count(&self) -> u32 {
        match &self.data {
            Data::Call(context) => context.retry_count(),
            Data::Given(given) => given.retry_count,
        }
    }

    /// Which attempt this is, from 1.
    #[getter]
    fn attempt(&self) -> u32 {
        self.retry_count().saturating_add(1)
    }

    /// The outcome of the frame's step before; `None` at its first one.
    #[getter]
    fn prior_outcome(&self) -> Option<&str> {
        match &self.data {
            Data::Call(context) => context.prior_outcome().map(|outcome| &**outcome),
            Data::Given(given) => given.prior_outcome.as_deref(),
        }
    }

    /// The id of the frame's step before.
    #[getter]
    fn activated_incoming_edge(&self) -> Option<&str> {
        match &self.data {
            Data::Call(context) => context.activated_incoming_edge().map(|id| &**id),
            Data::Given(given) => given.activated_incoming_edge.as_deref(),
        }
    }

    /// What the frame knows about its loop or branch; a fresh dict.
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        match &self.data {
            Data::Call(context) => object_to_python(py, &context.metadata()),
            Data::Given(given) => match &given.metadata {
                Some(metadata) => metadata.bind(py).copy(),
                None => Ok(PyDict::new(py)),
            },
        }
    }

    /// The very object that the caller of the run passed as `platform`.
    #[getter]
    fn platform<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.platform.as_ref().map(|platform| platform.bind(py).clone())
    }

    /// The run's id; `None` without a run.
    #[getter]
    fn run_id(&self) -> Option<&str> {
        match &self.data {
            Data::Call(context) => Some(context.run_id()),
            Data::Given(given) => given.run_id.as_deref(),
        }
    }

    /// The call's id, `<run id>:<number>`: the same whenever this call is repeated after a crash, so a receiver can
    /// tell. `None` without a run.
    #[getter]
    fn call_id(&self) -> Option<String> {
        match &self.data {
            Data::Call(context) => Some(context.call_id()),
            Data::Given(given) => given.call_id.clone(),
        }
    }

    fn __repr__(&self) -> String {
        format!(
            "RuntimeContext(current_node_id={:?}, frame_id={:?}, attempt={}, platform={})",
            self.current_node_id(),
            self.frame_id(),
            self.attempt(),
            if self.platform.is_some() { "…" } else { "None" },
        )
    }

    #[expect(clippy::unused_self, reason = "a method of Python's protocol")]
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a `RuntimeContext` belongs to one call and cannot be pickled"))
    }
}
