//! The ways into a run: start, resume, step.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use wf_core::document::Workflow;
use wf_core::run::{Run, RunStatus, StartOptions};
use wf_core::value::Object;

use super::failures::refused;
use super::handlers::Handlers;
use super::plans::{Failed, Surroundings, plan_of};
use super::pump::{PyPump, now};
use super::reduce::Reducers;
use super::state::{PyRunState, RunRecord, StatusWord};
use crate::convert::{Instances, to_object};
use crate::core::models::PyWorkflow;
use crate::document::data;
use crate::error::{Class, Exception, raised};

/// What a caller passes besides the workflow.
#[derive(FromPyObject)]
struct Options<'py> {
    #[pyo3(item)]
    reducers: Option<Bound<'py, PyAny>>,
    #[pyo3(item)]
    subgraphs: Option<Bound<'py, PyAny>>,
    #[pyo3(item)]
    platform: Option<Py<PyAny>>,
}

/// Limits and identity of a new run.
struct Limits {
    run_id: Option<String>,
    max_steps: Option<u64>,
    deadline_seconds: Option<f64>,
    seed: Option<u64>,
}

/// A pump for a new run. Whatever is wrong with the workflow or the input gives a pump that has stopped already.
fn start(
    workflow: &Bound<'_, PyWorkflow>,
    input: &Bound<'_, PyAny>,
    registry: &Bound<'_, PyAny>,
    options: Options<'_>,
    limits: Limits,
    on_loop: bool,
) -> PyResult<PyPump> {
    let py = workflow.py();
    let around = Surroundings::read(options.reducers.as_ref(), options.subgraphs.as_ref())?;
    let input = match to_object(input, Instances::Refuse) {
        Ok(Some(input)) => input,
        Ok(None) => return Err(PyTypeError::new_err("workflow input must be a dict")),
        Err(error) => {
            let code = error.code();
            return never_ran(workflow, Object::new(), code, error.into_exception(py, Some("workflow input")));
        }
    };
    let plan = match plan_of(workflow, &around) {
        Ok(plan) => plan,
        Err(Failed::Raised(error)) => return Err(error),
        Err(Failed::Invalid(error)) => return never_ran(workflow, input, "workflow.invalid", error.exception(py)),
    };
    let now = now();
    let run_id: Arc<str> = match limits.run_id {
        Some(run_id) => run_id.into(),
        None => random_id(py)?.into(),
    };
    let seed = limits.seed.unwrap_or_else(|| seed_of(&run_id));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "negative and huge spans saturate")]
    let deadline = limits.deadline_seconds.map(|span| now.saturating_add((span * 1000.0) as u64));
    let start = StartOptions { run_id, now, seed, max_steps: limits.max_steps, deadline };
    let handlers = Handlers::new(py, &plan, registry, &around.children);
    let reducers = Reducers::new(py, &plan, &around);
    let run = Run::start(plan, input, start);
    Ok(PyPump::new(run, handlers, reducers, options.platform, on_loop))
}

/// A pump for a run that could not be started.
fn never_ran(
    workflow: &Bound<'_, PyWorkflow>,
    input: Object,
    code: &str,
    exception: PyErr,
) -> PyResult<PyPump> {
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

/// A pump for a run that goes on: an answered interrupt, or another try from where it failed.
///
/// # Errors
/// The answer is refused, or the run belongs to another workflow; the run stays as it is.
fn go_on(
    workflow: &Bound<'_, PyWorkflow>,
    state: &Bound<'_, PyRunState>,
    registry: &Bound<'_, PyAny>,
    answer: Option<Answer<'_>>,
    options: Options<'_>,
    on_loop: bool,
) -> PyResult<Option<PyPump>> {
    let py = workflow.py();
    let mut run = PyRunState::run(state)?;
    let around = Surroundings::read(options.reducers.as_ref(), options.subgraphs.as_ref())?;
    check_workflow(workflow, &run, &around)?;
    match (run.status(), answer) {
        // Whoever brings no answer gets the question again.
        (RunStatus::Interrupted, None) => return Ok(None),
        (RunStatus::Running | RunStatus::Pending, None) => {}
        (_, Some(answer)) => {
            let payload = to_object(answer.payload, Instances::Refuse)
                .map_err(|error| error.into_exception(py, Some("resume payload")))?
                .ok_or_else(|| PyTypeError::new_err("resume payload must be a dict"))?;
            run.resume(answer.interrupt, answer.outcome, payload, now()).map_err(|error| refused(py, &error))?;
        }
        (_, None) => run.retry(now()).map_err(|error| refused(py, &error))?,
    }
    let handlers = Handlers::new(py, run.plan(), registry, &around.children);
    let reducers = Reducers::new(py, run.plan(), &around);
    Ok(Some(PyPump::new(run, handlers, reducers, options.platform, on_loop)))
}

/// The answer to an interrupt.
struct Answer<'a> {
    interrupt: Option<&'a str>,
    outcome: &'a str,
    payload: &'a Bound<'a, PyAny>,
}

/// Refuses a workflow that is not the one the run belongs to, and says what has changed.
fn check_workflow(workflow: &Bound<'_, PyWorkflow>, run: &Run, around: &Surroundings) -> PyResult<()> {
    let py = workflow.py();
    let ours = &run.plan().workflows()[0].document().name;
    let given = &data::<Workflow>(workflow.as_super())?.name;
    if ours != given {
        let message = format!("run state belongs to workflow '{ours}', not '{given}'");
        return Err(raised(
            Exception::new(py, Class::WorkflowExecution, message)
                .and_then(|error| error.with("code", "run.other_workflow"))
                .and_then(Exception::build),
        ));
    }
    let plan = plan_of(workflow, around).map_err(|failed| match failed {
        Failed::Raised(error) => error,
        Failed::Invalid(error) => error.exception(py),
    })?;
    if plan.hash() == run.plan_hash() {
        return Ok(());
    }
    let changes = run.plan().digest().changes(plan.digest());
    let message = format!("workflow '{given}' has changed since the run was started: {}", changes.join(", "));
    Err(raised(
        Exception::new(py, Class::WorkflowExecution, message)
            .and_then(|error| error.with("code", "snapshot.plan_changed"))
            .and_then(|error| error.with("hint", "resume it with the workflow it was started with, or start a new run"))
            .and_then(Exception::build),
    ))
}

/// Drives a pump to its stop; on a private event loop when something has to be waited for.
fn drive<'py>(py: Python<'py>, pump: PyPump, strict: bool) -> PyResult<Bound<'py, PyAny>> {
    if pump.run_blocking(py)? {
        return PyRunState::finish(py, &pump, strict);
    }
    let pump = Bound::new(py, pump)?;
    py.import(intern!(py, "wf_core.runtime._asyncio"))?
        .getattr(intern!(py, "drive_blocking"))?
        .call1((&pump,))?;
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

/// A seed that follows from the run's id, so that a run can be repeated by its id.
fn seed_of(run_id: &str) -> u64 {
    // FNV-1a: stable for ever, unlike the standard hasher.
    run_id.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Declares a blocking entry point of a new run: strict, or giving the failed run.
macro_rules! execute {
    ($(#[$doc:meta])* $name:ident, $strict:literal) => {
        $(#[$doc])*
        #[pyfunction]
        #[pyo3(signature = (
            workflow, workflow_input, registry, *, reducers = None, subgraphs = None, platform = None, run_id = None,
            max_steps = Some(1_000_000), deadline_seconds = None, seed = None
        ))]
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
            let options = Options { reducers, subgraphs, platform };
            let limits = Limits { run_id, max_steps, deadline_seconds, seed };
            let pump = start(workflow, workflow_input, registry, options, limits, false)?;
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
    let options = Options { reducers, subgraphs, platform };
    let limits = Limits { run_id, max_steps, deadline_seconds, seed };
    start(workflow, workflow_input, registry, options, limits, true)
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
            resume_payload: Option<Bound<'py, PyAny>>,
            resume_outcome: &str,
            interrupt_id: Option<&str>,
            reducers: Option<Bound<'py, PyAny>>,
            subgraphs: Option<Bound<'py, PyAny>>,
            platform: Option<Py<PyAny>>,
        ) -> PyResult<Bound<'py, PyAny>> {
            let options = Options { reducers, subgraphs, platform };
            let answer = resume_payload.as_ref().map(|payload| Answer {
                interrupt: interrupt_id,
                outcome: resume_outcome,
                payload,
            });
            match go_on(workflow, run, registry, answer, options, false)? {
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
    resume_payload: Option<Bound<'_, PyAny>>,
    resume_outcome: &str,
    interrupt_id: Option<&str>,
    reducers: Option<Bound<'_, PyAny>>,
    subgraphs: Option<Bound<'_, PyAny>>,
    platform: Option<Py<PyAny>>,
) -> PyResult<Option<PyPump>> {
    let options = Options { reducers, subgraphs, platform };
    let answer = resume_payload.as_ref().map(|payload| Answer {
        interrupt: interrupt_id,
        outcome: resume_outcome,
        payload,
    });
    go_on(workflow, run, registry, answer, options, true)
}

/// Registers the functions of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(execute_workflow, module)?)?;
    module.add_function(wrap_pyfunction!(execute_workflow_result, module)?)?;
    module.add_function(wrap_pyfunction!(resume_workflow, module)?)?;
    module.add_function(wrap_pyfunction!(resume_workflow_result, module)?)?;
    module.add_function(wrap_pyfunction!(start_pump, module)?)?;
    module.add_function(wrap_pyfunction!(resume_pump, module)?)
}
