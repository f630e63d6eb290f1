//! The ways into a run: start, resume, step.

use std::sync::Arc;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use wf_api::operations::RunJournal;
use wf_core::document::Workflow;
use wf_core::plan::Plan;
use wf_core::run::{Millis, Run, RunStatus, StartOptions};
use wf_core::value::Object;

use super::clock::now;
use super::failures::{invalid, refused};
use super::handlers::Handlers;
use super::plans::{Failed, Surroundings, plan_of};
use super::pump::PyPump;
use super::record::{RunRecord, StatusWord};
use super::reduce::Reducers;
use super::state::PyRunState;
use crate::convert::{Instances, to_object};
use crate::core::models::PyWorkflow;
use crate::document::data;
use crate::error::{NO_OBJECT, execution_error, no_object};

/// What surrounds a workflow, as the caller passes it.
pub(super) struct Around<'py> {
    pub(super) reducers: Option<Bound<'py, PyAny>>,
    pub(super) subgraphs: Option<Bound<'py, PyAny>>,
}

impl Around<'_> {
    fn read(&self) -> PyResult<Surroundings> {
        Surroundings::read(self.reducers.as_ref(), self.subgraphs.as_ref())
    }
}

/// Limits and identity of a new run.
pub(super) struct Limits {
    pub(super) run_id: Option<String>,
    pub(super) max_steps: Option<u64>,
    pub(super) deadline_seconds: Option<f64>,
    pub(super) seed: Option<u64>,
    pub(super) now: Option<Millis>,
}

impl Limits {
    fn options(self, py: Python<'_>) -> PyResult<StartOptions> {
        let now = self.now.unwrap_or_else(now);
        let run_id: Arc<str> = match self.run_id {
            Some(run_id) => run_id.into(),
            None => random_id(py)?.into(),
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "negative and huge spans saturate")]
        let deadline = self.deadline_seconds.map(|span| now.saturating_add((span * 1000.0) as u64));
        let usual = StartOptions::new(run_id, now);
        let seed = self.seed.unwrap_or(usual.seed);
        Ok(StartOptions { seed, max_steps: self.max_steps, deadline, ..usual })
    }
}

/// Who calls handlers, and with what.
struct Calling<'a, 'py> {
    registry: &'a Bound<'py, PyAny>,
    platform: Option<Py<PyAny>>,
    on_loop: bool,
    /// Stop after one step.
    single: bool,
}

impl Calling<'_, '_> {
    fn pump(self, run: Run, around: &Surroundings) -> PyPump {
        let py = self.registry.py();
        let handlers = Handlers::new(py, run.plan(), self.registry, &around.children);
        let reducers = Reducers::new(py, run.plan(), around);
        PyPump::new(run, handlers, reducers, self.platform, self.on_loop, self.single)
    }
}

/// A pump for a stored run, which goes on from where it stands; for the asyncio driver.
pub(crate) fn stored_pump(
    run: Run,
    journal: Arc<RunJournal>,
    registry: &Bound<'_, PyAny>,
    reducers: Option<&Bound<'_, PyAny>>,
    subgraphs: Option<&Bound<'_, PyAny>>,
    platform: Option<Py<PyAny>>,
) -> PyResult<PyPump> {
    let around = Surroundings::read(reducers, subgraphs)?;
    let calling = Calling { registry, platform, on_loop: true, single: false };
    Ok(calling.pump(run, &around).with_journal(journal))
}

/// The plan of a workflow; raises when the workflow is wrong.
pub(super) fn plan_for(workflow: &Bound<'_, PyWorkflow>, around: &Around<'_>) -> PyResult<Arc<Plan>> {
    plan_of(workflow, &around.read()?).map_err(|failed| failed.exception(workflow.py()))
}

/// A new run without a pump, begun as `begin` does; raises when the workflow is wrong.
pub(super) fn start_run(
    workflow: &Bound<'_, PyWorkflow>,
    input: &Bound<'_, PyAny>,
    around: &Around<'_>,
    limits: Limits,
    begin: fn(Arc<Plan>, Object, StartOptions) -> Run,
) -> PyResult<Run> {
    let py = workflow.py();
    let input = to_object(input, Instances::Refuse)
        .map_err(|error| error.into_exception(py, Some("workflow input")))?
        .ok_or_else(|| no_object(py, "workflow input"))?;
    let plan = plan_for(workflow, around)?;
    Ok(begin(plan, input, limits.options(py)?))
}

/// A pump for a new run. Whatever is wrong with the workflow or the input gives a pump that has stopped already.
fn start(
    workflow: &Bound<'_, PyWorkflow>,
    input: &Bound<'_, PyAny>,
    calling: Calling<'_, '_>,
    around: &Around<'_>,
    limits: Limits,
) -> PyResult<PyPump> {
    let py = workflow.py();
    let around = around.read()?;
    let input = match to_object(input, Instances::Refuse) {
        Ok(Some(input)) => input,
        Ok(None) => return never_ran(workflow, Object::new(), NO_OBJECT, no_object(py, "workflow input")),
        Err(error) => {
            let code = error.code();
            return never_ran(workflow, Object::new(), code, error.into_exception(py, Some("workflow input")));
        }
    };
    let plan = match plan_of(workflow, &around) {
        Ok(plan) => plan,
        Err(Failed::Raised(error)) => return Err(error),
        Err(Failed::Invalid(error)) => return never_ran(workflow, input, "workflow.invalid", invalid(py, &error)),
    };
    let run = Run::start(plan, input, limits.options(py)?);
    Ok(calling.pump(run, &around))
}

/// A pump for a run that could not be started.
fn never_ran(workflow: &Bound<'_, PyWorkflow>, input: Object, code: &str, exception: PyErr) -> PyResult<PyPump> {
    let py = workflow.py();
    let message = exception.value(py).to_string();
    let kind = exception.get_type(py).name()?.to_string();
    let failure = Object::from_iter([("code", code), ("type", kind.as_str()), ("message", message.as_str())]);
    let record = RunRecord {
        workflow_name: Arc::clone(&data::<Workflow>(workflow.as_super())?.name),
        status: StatusWord::Failed,
        workflow_input: input,
        error: Some(message.into()),
        failure: Some(failure),
        ..RunRecord::blank()
    };
    Ok(PyPump::never_ran(record, exception))
}

/// The run of a state, ready to go on by the plan of the given workflow, and what surrounds it.
///
/// # Errors
/// The state belongs to another workflow, or the workflow has changed.
pub(super) fn plan_for_state(
    workflow: &Bound<'_, PyWorkflow>,
    state: &Bound<'_, PyRunState>,
    around: &Around<'_>,
) -> PyResult<(Run, Surroundings)> {
    let py = workflow.py();
    let ours = PyRunState::name(state)?;
    let given = &data::<Workflow>(workflow.as_super())?.name;
    if ours != *given {
        let message = format!("run state belongs to workflow '{ours}', not '{given}'");
        return Err(execution_error(py, "run.other_workflow", message, None));
    }
    let around = around.read()?;
    let plan = plan_of(workflow, &around).map_err(|failed| failed.exception(py))?;
    let mut run = PyRunState::run(state, &plan)?;
    // Whether it goes step by step is up to whoever goes on with it.
    run.let_go();
    Ok((run, around))
}

/// A pump for a run that goes on: an answered interrupt, or another try from where it failed.
///
/// # Errors
/// The answer is refused, or the run belongs to another workflow; the run stays as it is.
fn go_on(
    workflow: &Bound<'_, PyWorkflow>,
    state: &Bound<'_, PyRunState>,
    calling: Calling<'_, '_>,
    answer: Option<Answer<'_>>,
    around: &Around<'_>,
) -> PyResult<Option<PyPump>> {
    let py = workflow.py();
    let (mut run, around) = plan_for_state(workflow, state, around)?;
    if calling.single {
        run.hold();
    }
    match (run.status(), answer) {
        // Whoever brings no answer gets the question again, and a run that has come to its end stays there.
        (RunStatus::Interrupted | RunStatus::Completed, None) => return Ok(None),
        (RunStatus::Running | RunStatus::Pending, None) => {}
        (_, Some(answer)) => {
            let payload = to_object(answer.payload, Instances::Refuse)
                .map_err(|error| error.into_exception(py, Some("resume payload")))?
                .ok_or_else(|| no_object(py, "resume payload"))?;
            run.resume(answer.interrupt, answer.outcome, payload, now()).map_err(|error| refused(py, &error))?;
        }
        // A step of a run that has nothing more to do is no step.
        (RunStatus::Cancelled, None) if calling.single => return Ok(None),
        (_, None) => run.retry(now()).map_err(|error| refused(py, &error))?,
    }
    Ok(Some(calling.pump(run, &around)))
}

/// The answer to an interrupt.
struct Answer<'a> {
    interrupt: Option<&'a str>,
    outcome: &'a str,
    payload: &'a Bound<'a, PyAny>,
}

/// Drives a pump to its stop; on a private event loop when something has to be waited for.
fn drive(py: Python<'_>, pump: PyPump, strict: bool) -> PyResult<Bound<'_, PyAny>> {
    if pump.run_blocking(py)? {
        return PyRunState::finish(py, &pump, strict);
    }
    let pump = Bound::new(py, pump)?;
    py.import(intern!(py, "wf_core.runtime._blocking"))?.getattr(intern!(py, "drive_blocking"))?.call1((&pump,))?;
    PyRunState::finish(py, pump.get(), strict)
}

/// A run id that no other run has.
fn random_id(py: Python<'_>) -> PyResult<String> {
    let bytes = py.import(intern!(py, "os"))?.getattr(intern!(py, "urandom"))?.call1((16,))?;
    let bytes = bytes.cast::<PyBytes>()?.as_bytes();
    Ok(bytes.iter().fold(String::with_capacity(32), |mut text, byte| {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from(DIGITS[usize::from(digit)]));
        }
        text
    }))
}

/// Declares a blocking entry point of a new run: strict, or giving the failed run.
macro_rules! execute {
    ($(#[$doc:meta])* $name:ident, $strict:literal) => {
        $(#[$doc])*
        #[pyfunction]
        #[pyo3(signature = (
            workflow, workflow_input, registry, *, reducers = None, subgraphs = None, platform = None, run_id = None,
            max_steps = Some(1_000_000), deadline_seconds = None, seed = None
        ), text_signature = "(workflow, workflow_input, registry, *, reducers=None, subgraphs=None, platform=None, \
                             run_id=None, max_steps=1000000, deadline_seconds=None, seed=None)")]
        #[expect(clippy::too_many_arguments, reason = "a compatibility surface")]
        fn $name<'py>(
            workflow: &Bound<'py, PyWorkflow>,
            workflow_input: &Bound<'py, PyAny>,
            registry: &Bound<'py, PyAny>,
            reducers: Option<Bound<'py, PyAny>>,
            subgraphs: Option<Bound<'py, PyAny>>,
            platform: Option<Py<PyAny>>,
            run_id: Option<String>,
            max_steps: Option<u64>,
            deadline_seconds: Option<f64>,
            seed: Option<u64>,
        ) -> PyResult<Bound<'py, PyAny>> {
            let around = Around { reducers, subgraphs };
            let calling = Calling { registry, platform, on_loop: false, single: false };
            let limits = Limits { run_id, max_steps, deadline_seconds, seed, now: None };
            let pump = start(workflow, workflow_input, calling, &around, limits)?;
            drive(workflow.py(), pump, $strict)
        }
    };
}

execute! {
    /// Runs a workflow and gives the finished or interrupted run; raises what makes it fail.
    execute_workflow, true
}
execute! {
    /// Runs a workflow and gives the run, a failed one included.
    execute_workflow_result, false
}

/// Makes the pump of a new run for the asyncio driver.
#[pyfunction]
#[pyo3(signature = (
    workflow, workflow_input, registry, *, reducers, subgraphs, platform, run_id, max_steps, deadline_seconds, seed
))]
#[expect(clippy::too_many_arguments, reason = "a compatibility surface")]
fn start_pump(
    workflow: &Bound<'_, PyWorkflow>,
    workflow_input: &Bound<'_, PyAny>,
    registry: &Bound<'_, PyAny>,
    reducers: Option<Bound<'_, PyAny>>,
    subgraphs: Option<Bound<'_, PyAny>>,
    platform: Option<Py<PyAny>>,
    run_id: Option<String>,
    max_steps: Option<u64>,
    deadline_seconds: Option<f64>,
    seed: Option<u64>,
) -> PyResult<PyPump> {
    let around = Around { reducers, subgraphs };
    let calling = Calling { registry, platform, on_loop: true, single: false };
    let limits = Limits { run_id, max_steps, deadline_seconds, seed, now: None };
    start(workflow, workflow_input, calling, &around, limits)
}

/// Declares a blocking entry point of a run that goes on: strict, or giving the failed run.
macro_rules! resume {
    ($(#[$doc:meta])* $name:ident, $strict:literal) => {
        $(#[$doc])*
        #[pyfunction]
        #[pyo3(signature = (
            workflow, run, registry, *, resume_payload = None, resume_outcome = "submitted", interrupt_id = None,
            reducers = None, subgraphs = None, platform = None
        ))]
        #[expect(clippy::too_many_arguments, reason = "a compatibility surface")]
        fn $name<'py>(
            workflow: &Bound<'py, PyWorkflow>,
            run: &Bound<'py, PyRunState>,
            registry: &Bound<'py, PyAny>,
            resume_payload: Option<&Bound<'py, PyAny>>,
            resume_outcome: &str,
            interrupt_id: Option<&str>,
            reducers: Option<Bound<'py, PyAny>>,
            subgraphs: Option<Bound<'py, PyAny>>,
            platform: Option<Py<PyAny>>,
        ) -> PyResult<Bound<'py, PyAny>> {
            let around = Around { reducers, subgraphs };
            let calling = Calling { registry, platform, on_loop: false, single: false };
            let answer = resume_payload.map(|payload| Answer {
                interrupt: interrupt_id,
                outcome: resume_outcome,
                payload,
            });
            match go_on(workflow, run, calling, answer, &around)? {
                Some(pump) => drive(workflow.py(), pump, $strict),
                None => Ok(run.clone().into_any()),
            }
        }
    };
}

resume! {
    /// Answers an interrupt, or tries a failed run again; raises what makes it fail.
    resume_workflow, true
}
resume! {
    /// Answers an interrupt, or tries a failed run again; gives the run, a failed one included.
    resume_workflow_result, false
}

/// Makes the pump of a run that goes on, for the asyncio driver; `None` when there is nothing to do.
#[pyfunction]
#[pyo3(signature = (
    workflow, run, registry, *, resume_payload, resume_outcome, interrupt_id, reducers, subgraphs, platform
))]
#[expect(clippy::too_many_arguments, reason = "a compatibility surface")]
fn resume_pump(
    workflow: &Bound<'_, PyWorkflow>,
    run: &Bound<'_, PyRunState>,
    registry: &Bound<'_, PyAny>,
    resume_payload: Option<&Bound<'_, PyAny>>,
    resume_outcome: &str,
    interrupt_id: Option<&str>,
    reducers: Option<Bound<'_, PyAny>>,
    subgraphs: Option<Bound<'_, PyAny>>,
    platform: Option<Py<PyAny>>,
) -> PyResult<Option<PyPump>> {
    let around = Around { reducers, subgraphs };
    let calling = Calling { registry, platform, on_loop: true, single: false };
    let answer = resume_payload.map(|payload| Answer { interrupt: interrupt_id, outcome: resume_outcome, payload });
    go_on(workflow, run, calling, answer, &around)
}

/// Takes one step of a run, of whatever kind the step is.
#[pyfunction]
#[pyo3(signature = (
    workflow, run, registry, *, index = None, reducers = None, subgraphs = None, platform = None
))]
fn step_workflow<'py>(
    workflow: &Bound<'py, PyWorkflow>,
    run: &Bound<'py, PyRunState>,
    registry: &Bound<'py, PyAny>,
    index: Option<&Bound<'py, PyAny>>,
    reducers: Option<Bound<'py, PyAny>>,
    subgraphs: Option<Bound<'py, PyAny>>,
    platform: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    // Plans are kept with the workflow, so an index of the caller's is not needed.
    let _ = index;
    let around = Around { reducers, subgraphs };
    let calling = Calling { registry, platform, on_loop: false, single: true };
    match go_on(workflow, run, calling, None, &around)? {
        Some(pump) => drive(workflow.py(), pump, true),
        None => Ok(run.clone().into_any()),
    }
}

/// A run that has begun and stands before its first step.
#[pyfunction]
#[pyo3(signature = (workflow, workflow_input, /))]
fn create_run<'py>(
    workflow: &Bound<'py, PyWorkflow>,
    workflow_input: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let around = Around { reducers: None, subgraphs: None };
    let limits = Limits { run_id: None, max_steps: Some(1_000_000), deadline_seconds: None, seed: None, now: None };
    let run = start_run(workflow, workflow_input, &around, limits, Run::start_held)?;
    PyRunState::live(workflow.py(), run)
}

/// Makes the pump of a single step, for the asyncio driver; `None` when there is nothing to do.
#[pyfunction]
#[pyo3(signature = (workflow, run, registry, *, reducers, subgraphs, platform))]
fn step_pump(
    workflow: &Bound<'_, PyWorkflow>,
    run: &Bound<'_, PyRunState>,
    registry: &Bound<'_, PyAny>,
    reducers: Option<Bound<'_, PyAny>>,
    subgraphs: Option<Bound<'_, PyAny>>,
    platform: Option<Py<PyAny>>,
) -> PyResult<Option<PyPump>> {
    let around = Around { reducers, subgraphs };
    let calling = Calling { registry, platform, on_loop: true, single: true };
    go_on(workflow, run, calling, None, &around)
}

/// Registers the functions of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(execute_workflow, module)?)?;
    module.add_function(wrap_pyfunction!(execute_workflow_result, module)?)?;
    module.add_function(wrap_pyfunction!(resume_workflow, module)?)?;
    module.add_function(wrap_pyfunction!(resume_workflow_result, module)?)?;
    module.add_function(wrap_pyfunction!(start_pump, module)?)?;
    module.add_function(wrap_pyfunction!(resume_pump, module)?)?;
    module.add_function(wrap_pyfunction!(create_run, module)?)?;
    module.add_function(wrap_pyfunction!(step_workflow, module)?)?;
    module.add_function(wrap_pyfunction!(step_pump, module)?)
}
