//! Effects as Python objects, for drivers that are written in Python.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use wf_core::run::{Call, Effect, Reduce, Run};

use super::clock::seconds;
use super::context::PyRuntimeContext;
use crate::convert::{object_to_python, value_to_python};

/// A handler to call; answer it with `Run.resolve`, `Run.fail` or `Run.time_out`.
#[pyclass(name = "Call", module = "wf_core.runtime.machine", frozen)]
pub(super) struct PyCall {
    call: Call,
    node: Arc<str>,
    workflow_ref: Option<String>,
}

#[pymethods]
impl PyCall {
    /// The call's number within its run.
    #[getter]
    fn id(&self) -> u64 {
        self.call.id.get()
    }

    /// The name of the node, by which its handler is found.
    #[getter]
    fn node(&self) -> &str {
        &self.node
    }

    /// The step that calls.
    #[getter]
    fn step(&self) -> &str {
        self.call.context.node_id()
    }

    /// The display of the child workflow's reference; `None` for the root workflow.
    #[getter]
    fn workflow_ref(&self) -> Option<&str> {
        self.workflow_ref.as_deref()
    }

    /// The payload; a fresh dict.
    #[getter]
    fn payload<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        object_to_python(py, &self.call.input)
    }

    /// Which attempt this is, from 1.
    #[getter]
    fn attempt(&self) -> u32 {
        self.call.attempt
    }

    /// The seconds within which it has to be done.
    #[getter]
    fn timeout_seconds(&self) -> Option<f64> {
        self.call.timeout.map(|timeout| timeout.as_secs_f64())
    }

    /// The context for the handler.
    #[pyo3(signature = (platform = None))]
    fn context(&self, platform: Option<Py<PyAny>>) -> PyRuntimeContext {
        PyRuntimeContext::of_call(self.call.context.clone(), platform)
    }

    fn __repr__(&self) -> String {
        format!("Call(id={}, node={:?}, step={:?}, attempt={})", self.id(), self.node, self.step(), self.attempt())
    }
}

/// Values to merge by custom reducers; answer it with `Run.resolve_reduce`.
#[pyclass(name = "Reduce", module = "wf_core.runtime.machine", frozen)]
pub(super) struct PyReduce {
    reduce: Reduce,
    workflow_ref: Option<String>,
}

#[pymethods]
impl PyReduce {
    /// The merge's number within its run.
    #[getter]
    fn id(&self) -> u64 {
        self.reduce.id.get()
    }

    /// The display of the child workflow's reference; `None` for the root workflow.
    #[getter]
    fn workflow_ref(&self) -> Option<&str> {
        self.workflow_ref.as_deref()
    }

    /// What to merge: one dict per place with `reducer`, `config`, `path`, `current` and `incoming` (a list).
    #[getter]
    fn folds<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.reduce
            .folds
            .iter()
            .map(|fold| {
                let dict = PyDict::new(py);
                dict.set_item("reducer", &*fold.reducer)?;
                dict.set_item("config", object_to_python(py, &fold.config)?)?;
                dict.set_item("path", &*fold.path)?;
                dict.set_item("current", value_to_python(py, &fold.current)?)?;
                let incoming =
                    fold.incoming.iter().map(|value| value_to_python(py, value)).collect::<PyResult<Vec<_>>>()?;
                dict.set_item("incoming", incoming)?;
                Ok(dict)
            })
            .collect()
    }

    fn __repr__(&self) -> String {
        format!("Reduce(id={}, folds={})", self.id(), self.reduce.folds.len())
    }
}

/// Stop a call that was handed out: nobody waits for it any more.
#[pyclass(name = "CancelCall", module = "wf_core.runtime.machine", frozen)]
pub(super) struct PyCancelCall {
    /// The call's number within its run.
    #[pyo3(get)]
    id: u64,
}

#[pymethods]
impl PyCancelCall {
    fn __repr__(&self) -> String {
        format!("CancelCall(id={})", self.id)
    }
}

/// Nothing new is to be done until something in flight is answered, or until `next_timer`.
#[pyclass(name = "Idle", module = "wf_core.runtime.machine", frozen)]
pub(super) struct PyIdle {
    /// How many calls and merges are in flight; 0 means that only the time is waited for.
    #[pyo3(get)]
    in_flight: usize,
    /// When to send a tick, in seconds since the epoch; `None` means never.
    #[pyo3(get)]
    next_timer: Option<f64>,
}

#[pymethods]
impl PyIdle {
    fn __repr__(&self) -> String {
        let timer = self.next_timer.map_or_else(|| String::from("None"), |at| at.to_string());
        format!("Idle(in_flight={}, next_timer={timer})", self.in_flight)
    }
}

/// The run stands still: completed, failed, interrupted or cancelled.
#[pyclass(name = "Stopped", module = "wf_core.runtime.machine", frozen)]
pub(super) struct PyStopped {
    status: &'static str,
}

#[pymethods]
impl PyStopped {
    /// How it stands.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        super::enums::run_status(py, self.status)
    }

    fn __repr__(&self) -> String {
        format!("Stopped({:?})", self.status)
    }
}

/// The Python object of an effect.
pub(super) fn effect_object<'py>(py: Python<'py>, run: &Run, effect: Effect) -> PyResult<Bound<'py, PyAny>> {
    let reference = |workflow: u32| {
        let workflow = run.plan().workflows().get(workflow as usize);
        workflow.and_then(|workflow| workflow.reference()).map(ToString::to_string)
    };
    Ok(match effect {
        Effect::Call(call) => {
            let workflow = run.plan().workflows().get(call.workflow as usize);
            let definition = workflow.and_then(|workflow| workflow.document().node_defs.get(call.node_def as usize));
            let node = definition.map_or_else(|| Arc::from(""), |definition| Arc::clone(&definition.name));
            let workflow_ref = reference(call.workflow);
            Bound::new(py, PyCall { call, node, workflow_ref })?.into_any()
        }
        Effect::Reduce(reduce) => {
            let workflow_ref = reference(reduce.workflow);
            Bound::new(py, PyReduce { reduce, workflow_ref })?.into_any()
        }
        Effect::Cancel(call) => Bound::new(py, PyCancelCall { id: call.get() })?.into_any(),
        Effect::Idle { in_flight, next_timer } => {
            Bound::new(py, PyIdle { in_flight, next_timer: next_timer.map(seconds) })?.into_any()
        }
        Effect::Wait { until } => Bound::new(py, PyIdle { in_flight: 0, next_timer: Some(seconds(until)) })?.into_any(),
        // Everything else says that the run stands still; its status says how.
        _ => Bound::new(py, PyStopped { status: run.status().as_str() })?.into_any(),
    })
}

/// Registers the classes of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyCall>()?;
    module.add_class::<PyReduce>()?;
    module.add_class::<PyCancelCall>()?;
    module.add_class::<PyIdle>()?;
    module.add_class::<PyStopped>()
}
