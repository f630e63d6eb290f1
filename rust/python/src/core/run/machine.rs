//! `Run`: the machine itself, for drivers that are written in Python.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyList;
use wf_core::run::{CallId, CallResult, Millis, Run, RunError};

use super::clock::now;
use super::codec::restore;
use super::effects::effect_object;
use super::entry::{Around, Limits, plan_for, plan_for_state, start_run};
use super::enums;
use super::failures::{call_error, refused};
use super::results::read_result;
use super::state::PyRunState;
use crate::convert::{Instances, to_object, to_value, value_to_python};
use crate::core::models::PyWorkflow;
use crate::error::no_object;

/// One execution of a workflow, as a machine that calls nothing itself.
///
/// `poll` says what to do next; every other method reports what has happened. Times are seconds since the epoch.
#[pyclass(name = "Run", module = "wf_core.runtime.machine", frozen)]
pub(super) struct PyRun(Mutex<Run>);

impl PyRun {
    fn lock(&self) -> MutexGuard<'_, Run> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, py: Python<'_>, tell: impl FnOnce(&mut Run) -> Result<(), RunError>) -> PyResult<()> {
        tell(&mut self.lock()).map_err(|error| refused(py, &error))
    }
}

/// A time as the machine takes it; the clock's by default.
fn millis(seconds: Option<f64>) -> Millis {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "negative and huge times saturate")]
    seconds.map_or_else(now, |seconds| (seconds * 1000.0) as u64)
}

#[pymethods]
impl PyRun {
    /// Starts a run. A bad input gives a failed run; a bad workflow raises.
    #[staticmethod]
    #[pyo3(signature = (
        workflow, workflow_input, *, reducers = None, subgraphs = None, run_id = None, max_steps = Some(1_000_000),
        deadline_seconds = None, seed = None, now = None
    ), text_signature = "(workflow, workflow_input, *, reducers=None, subgraphs=None, run_id=None, max_steps=1000000, \
                         deadline_seconds=None, seed=None, now=None)")]
    #[expect(clippy::too_many_arguments, reason = "one per option of a run")]
    fn start(
        workflow: &Bound<'_, PyWorkflow>,
        workflow_input: &Bound<'_, PyAny>,
        reducers: Option<Bound<'_, PyAny>>,
        subgraphs: Option<Bound<'_, PyAny>>,
        run_id: Option<String>,
        max_steps: Option<u64>,
        deadline_seconds: Option<f64>,
        seed: Option<u64>,
        now: Option<f64>,
    ) -> PyResult<Self> {
        let around = Around { reducers, subgraphs };
        let limits = Limits { run_id, max_steps, deadline_seconds, seed, now: now.map(|now| millis(Some(now))) };
        Ok(Self(Mutex::new(start_run(workflow, workflow_input, &around, limits, Run::start)?)))
    }

    /// Goes on with a run that stands still, or that was saved in the middle; calls in flight are asked for again.
    #[staticmethod]
    #[pyo3(signature = (workflow, state, *, reducers = None, subgraphs = None))]
    fn from_state(
        workflow: &Bound<'_, PyWorkflow>,
        state: &Bound<'_, PyRunState>,
        reducers: Option<Bound<'_, PyAny>>,
        subgraphs: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let around = Around { reducers, subgraphs };
        Ok(Self(Mutex::new(plan_for_state(workflow, state, &around)?.0)))
    }

    /// Goes on with a run from a snapshot; calls in flight are asked for again, under the same numbers.
    #[staticmethod]
    #[pyo3(signature = (workflow, snapshot, *, reducers = None, subgraphs = None))]
    fn restore(
        workflow: &Bound<'_, PyWorkflow>,
        snapshot: &Bound<'_, PyAny>,
        reducers: Option<Bound<'_, PyAny>>,
        subgraphs: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let py = workflow.py();
        let plan = plan_for(workflow, &Around { reducers, subgraphs })?;
        Ok(Self(Mutex::new(restore(py, plan, snapshot)?)))
    }

    /// The whole run as plain data, for `restore`.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let snapshot = self.lock().snapshot();
        value_to_python(py, &snapshot)
    }

    /// What to do next: a `Call`, a `Reduce` or a `CancelCall`, each handed out once; else how the run stands.
    fn poll<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut run = self.lock();
        let effect = run.poll();
        effect_object(py, &run, effect)
    }

    /// Reports what a handler returned.
    ///
    /// What is no result, and values that are no JSON, fail the call like an exception of the handler.
    #[pyo3(signature = (call, result, *, now = None))]
    fn resolve(&self, call: u64, result: &Bound<'_, PyAny>, now: Option<f64>) -> PyResult<()> {
        let py = result.py();
        let result = match read_result(result) {
            Ok(result) => CallResult::Returned(result),
            Err(error) => CallResult::Failed(call_error(py, &error.into_exception(py, Some("node output")))),
        };
        self.tell(py, |run| run.resolve(CallId::new(call), result, millis(now)))
    }

    /// Reports what a handler raised.
    #[pyo3(signature = (call, error, *, now = None))]
    fn fail(&self, call: u64, error: &Bound<'_, PyAny>, now: Option<f64>) -> PyResult<()> {
        let py = error.py();
        let error = call_error(py, &PyErr::from_value(error.clone()));
        self.tell(py, |run| run.resolve(CallId::new(call), CallResult::Failed(error), millis(now)))
    }

    /// Reports that a handler took too long.
    #[pyo3(signature = (call, *, now = None))]
    fn time_out(&self, py: Python<'_>, call: u64, now: Option<f64>) -> PyResult<()> {
        self.tell(py, |run| run.resolve(CallId::new(call), CallResult::TimedOut, millis(now)))
    }

    /// Reports the merged values, one per fold; an exception in a value's place says that its reducer raised.
    #[pyo3(signature = (reduce, merged, *, now = None))]
    fn resolve_reduce(&self, reduce: u64, merged: &Bound<'_, PyList>, now: Option<f64>) -> PyResult<()> {
        let py = merged.py();
        let merged = merged
            .iter()
            .map(|value| {
                if value.is_instance_of::<pyo3::exceptions::PyBaseException>() {
                    return Err(call_error(py, &PyErr::from_value(value)));
                }
                to_value(&value, Instances::Refuse)
                    .map_err(|error| call_error(py, &error.into_exception(py, Some("merged value"))))
            })
            .collect();
        self.tell(py, |run| run.resolve_reduce(CallId::new(reduce), merged, millis(now)))
    }

    /// Answers the interrupt.
    #[pyo3(signature = (payload, outcome = "submitted", *, interrupt_id = None, now = None))]
    fn resume(
        &self,
        payload: &Bound<'_, PyAny>,
        outcome: &str,
        interrupt_id: Option<&str>,
        now: Option<f64>,
    ) -> PyResult<()> {
        let py = payload.py();
        let payload = to_object(payload, Instances::Refuse)
            .map_err(|error| error.into_exception(py, Some("resume payload")))?
            .ok_or_else(|| no_object(py, "resume payload"))?;
        self.tell(py, |run| run.resume(interrupt_id, outcome, payload, millis(now)))
    }

    /// Tries a failed run again from where it failed.
    #[pyo3(signature = (*, now = None))]
    fn retry(&self, py: Python<'_>, now: Option<f64>) -> PyResult<()> {
        self.tell(py, |run| run.retry(millis(now)))
    }

    /// Stops the run for good.
    #[pyo3(signature = (reason = "cancelled", *, now = None))]
    fn cancel(&self, py: Python<'_>, reason: &str, now: Option<f64>) -> PyResult<()> {
        self.tell(py, |run| run.cancel(reason, millis(now)))
    }

    /// Tells the time: due retries start, a missed deadline fails the run.
    #[pyo3(signature = (*, now = None))]
    fn tick(&self, py: Python<'_>, now: Option<f64>) -> PyResult<()> {
        self.tell(py, |run| run.tick(millis(now)))
    }

    /// What the run is doing.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        enums::run_status(py, self.lock().status().as_str())
    }

    /// The run's id.
    #[getter]
    fn run_id(&self) -> String {
        self.lock().id().to_string()
    }

    /// The run as it stands now; it does not change when the run goes on.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let run = self.lock().clone();
        PyRunState::live(py, run)
    }

    fn __repr__(&self) -> String {
        let run = self.lock();
        format!("Run(run_id={:?}, status={:?}, in_flight={})", &**run.id(), run.status().as_str(), run.in_flight())
    }
}
