//! `RunState`: what is left of a run when its driver stops, for readers and for resuming.

use std::any::Any;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wf_core::document::{Document, DocumentError, View};
use wf_core::plan::Plan;
use wf_core::run::{Run, RunStatus};
use wf_core::value::{Object, Value};

use super::clock::now;
use super::codec;
use super::enums;
use super::failures::{failed, refused};
use super::pump::PyPump;
use super::record::{RunRecord, failure_of, frames, lineages, record_of, scopes};
use super::records::{InterruptRequest, TraceRecord, time};
use crate::convert::value_to_python;
use crate::document::{ClassInfo, Kind, Payload, PyDocument, data, held, register_class};
use crate::error::execution_error;

/// What a `RunState` holds: a run of the machine, read when somebody looks, or a record of one.
pub(super) enum Held {
    Live(Arc<Run>),
    Record(Box<RunRecord>, Option<Snapshot>),
}

/// What a record was loaded with, to go on from; without it the record itself is gone on from.
pub(super) struct Snapshot(pub(super) Value);

/// What to do when the workflow is not the one that a run was started with.
pub(super) const OTHER_PLAN: &str = "resume it with the workflow it was started with, or start a new run";

const KIND: Kind = Kind {
    parse: |value| -> Result<Payload, DocumentError> {
        Ok(Arc::new(Held::Record(Box::new(RunRecord::parse(value)?), None)))
    },
    schema: RunRecord::json_schema,
    dump: |payload| held::<Held>(payload).record().dump(),
    equals: |one, other| match (held::<Held>(one), held::<Held>(other)) {
        (Held::Live(one), Held::Live(other)) if Arc::ptr_eq(one, other) => true,
        (one, other) => one.record() == other.record(),
    },
    field: |payload, name| held::<Held>(payload).field(name),
    adopt: |document: &dyn Any| {
        let record = document.downcast_ref::<RunRecord>()?.clone();
        Some(Arc::new(Held::Record(Box::new(record), None)))
    },
};

impl Held {
    /// The whole run as a record.
    pub(super) fn record(&self) -> RunRecord {
        match self {
            Self::Record(record, _) => (**record).clone(),
            Self::Live(run) => record_of(run),
        }
    }

    /// One field, without making the others.
    fn field(&self, name: &str) -> Option<View> {
        match self {
            Self::Record(record, _) => record.field(name),
            Self::Live(run) => Some(match name {
                "workflow_name" => View::Value(Arc::clone(&run.plan().workflows()[0].document().name).into()),
                "workflow_input" => View::Value(run.input().clone().into()),
                "state" => View::Value(run.state().clone().into()),
                "outcome" => View::Value(run.outcome().cloned().into()),
                "output" => View::Value(run.output().clone().into()),
                "trace" => View::List(run.trace().iter().map(|entry| view(TraceRecord::from(entry))).collect()),
                "frames" => by_id(frames(run)),
                "scopes" => by_id(scopes(run)),
                "lineages" => by_id(lineages(run)),
                "interrupt" => match run.interrupt() {
                    Some(interrupt) => view(InterruptRequest::from(interrupt)),
                    None => View::Value(Value::Null),
                },
                "run_id" => View::Value(Arc::clone(run.id()).into()),
                "plan_hash" => View::Value(run.plan_hash().into()),
                "started_at" => View::Value(time(run.started_at())),
                "finished_at" => View::Value(run.finished_at().map_or(Value::Null, time)),
                _ => return record_of(run).field(name),
            }),
        }
    }

    fn status(&self) -> &'static str {
        match self {
            Self::Live(run) => run.status().as_str(),
            Self::Record(record, _) => record.status.as_str(),
        }
    }

    fn failure(&self) -> Option<Object> {
        match self {
            Self::Live(run) => failure_of(run),
            Self::Record(record, _) => record.failure.clone().or_else(|| {
                let message = record.error.clone()?;
                Some(Object::from_iter([("message", Value::from(message))]))
            }),
        }
    }
}

fn view<T: Document>(document: T) -> View {
    View::Document(Arc::new(document))
}

fn by_id<T: Document>(records: Vec<(Arc<str>, T)>) -> View {
    View::Map(records.into_iter().map(|(id, record)| (id, view(record))).collect())
}

/// A run, standing still.
#[pyclass(name = "RunState", module = "wf_core.run_state", extends = PyDocument, frozen)]
pub(crate) struct PyRunState;

static INFO: ClassInfo = ClassInfo {
    name: "RunState",
    attributes: &["workflow_name", "status", "outcome", "output", "error", "interrupt", "current_node_id", "run_id"],
    aliases: &[],
    create: |py, value| PyRunState::object(py, value),
    kind: KIND,
};

/// Writes the attributes that show a field as it is.
macro_rules! fields {
    ($($(#[doc = $doc:literal])+ $field:ident,)+ ; $($rest:tt)*) => {
        #[pymethods]
        impl PyRunState {
            $(
                $(#[doc = $doc])+
                #[getter]
                fn $field<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                    slf.as_super().get().field(slf.py(), stringify!($field))
                }
            )+

            $($rest)*
        }
    };
}

fields! {
    /// The name of the workflow.
    workflow_name,
    /// The input of the workflow; a fresh dict.
    workflow_input,
    /// The committed state; a fresh dict.
    state,
    /// How the workflow ended.
    outcome,
    /// What the workflow gave; a fresh dict.
    output,
    /// What was executed, in order; the entries are made at every access.
    trace,
    /// The frames by id, in order of creation.
    frames,
    /// The scopes by id.
    scopes,
    /// The lineages by id.
    lineages,
    /// The frames whose turn comes next.
    ready_frame_ids,
    /// The frame that the run stands at.
    current_frame_id,
    /// The step that the run stands at.
    current_node_id,
    /// The outcome of the step before.
    prior_outcome,
    /// The id of the step before.
    activated_incoming_edge,
    /// The question that waits for an answer.
    interrupt,
    /// The run's id.
    run_id,
    /// The hash of the plan it runs by.
    plan_hash,
    /// When it started, in seconds since the epoch.
    started_at,
    /// When it completed, failed or was cancelled, in seconds since the epoch.
    finished_at,
    ;

    #[new]
    #[pyo3(signature = (**fields))]
    fn __new__(py: Python<'_>, fields: Option<&Bound<'_, PyDict>>) -> PyResult<PyClassInitializer<Self>> {
        let base = PyDocument::from_keywords(py, &INFO, fields)?;
        Ok(PyClassInitializer::from(base).add_subclass(Self))
    }

    /// What the run is doing.
    #[getter]
    fn status<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        enums::run_status(slf.py(), data::<Held>(slf.as_super())?.status())
    }

    /// Why the run failed, or why it was cancelled: the message, with the rest as attributes.
    #[getter]
    fn error<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let failure = data::<Held>(slf.as_super())?.failure();
        failure.map(|failure| enums::run_failure(slf.py(), &failure)).transpose()
    }

    /// The frame that the run stands at.
    fn current_frame<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let record = data::<Held>(slf.as_super())?.record();
        let Some(current) = record.current_frame_id else {
            return Err(PyValueError::new_err("run has no current frame"));
        };
        let frames = slf.getattr(intern!(slf.py(), "frames"))?;
        if !frames.contains(&*current)? {
            let mut known: Vec<_> = record.frames.iter().map(|(id, _)| format!("'{id}'")).collect();
            known.sort_unstable();
            return Err(PyValueError::new_err(format!(
                "run current frame id is missing from frames: current_frame_id='{current}', frames=[{}]",
                known.join(", ")
            )));
        }
        frames.get_item(&*current)
    }

    /// The run as plain data.
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        value_to_python(slf.py(), &slf.as_super().get().dump())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let codec = slf.py().import(intern!(slf.py(), "wf_core.run_codec"))?;
        let dumped = codec.call_method1(intern!(slf.py(), "dump_run_state"), (slf,))?;
        Ok((codec.getattr(intern!(slf.py(), "load_run_state"))?, (dumped,)))
    }

    /// The same run, stopped for good.
    #[pyo3(signature = (reason = "cancelled"))]
    fn cancel<'py>(slf: &Bound<'py, Self>, reason: &str) -> PyResult<Bound<'py, PyAny>> {
        let Held::Live(run) = data::<Held>(slf.as_super())? else {
            return Err(PyValueError::new_err("only a run that was executed can be cancelled"));
        };
        let mut run = (**run).clone();
        run.cancel(reason, now()).map_err(|error| refused(slf.py(), &error))?;
        Self::live(slf.py(), run)
    }
}

impl PyRunState {
    fn object(py: Python<'_>, value: Payload) -> PyResult<Bound<'_, PyAny>> {
        let object = PyClassInitializer::from(PyDocument::new(value, &INFO)).add_subclass(Self);
        Ok(Bound::new(py, object)?.into_any())
    }

    /// The object of a run of the machine.
    pub(crate) fn live(py: Python<'_>, run: Run) -> PyResult<Bound<'_, PyAny>> {
        Self::object(py, Arc::new(Held::Live(Arc::new(run))))
    }

    /// The object of a run that was loaded.
    pub(super) fn loaded(py: Python<'_>, record: RunRecord, snapshot: Value) -> PyResult<Bound<'_, PyAny>> {
        Self::object(py, Arc::new(Held::Record(Box::new(record), Some(Snapshot(snapshot)))))
    }

    /// The object of a run that could not even be started.
    pub(super) fn record(py: Python<'_>, record: RunRecord) -> PyResult<Bound<'_, PyAny>> {
        Self::object(py, Arc::new(Held::Record(Box::new(record), None)))
    }

    /// The run itself, for a store to keep; of a run that could not even be started, why.
    pub(crate) fn shared_run(slf: &Bound<'_, Self>) -> PyResult<Result<Arc<Run>, Object>> {
        Ok(match data::<Held>(slf.as_super())? {
            Held::Live(run) => Ok(Arc::clone(run)),
            Held::Record(record, _) => Err(record.failure.clone().unwrap_or_default()),
        })
    }

    /// The name of the workflow.
    pub(super) fn name(slf: &Bound<'_, Self>) -> PyResult<Arc<str>> {
        Ok(match data::<Held>(slf.as_super())? {
            Held::Live(run) => Arc::clone(&run.plan().workflows()[0].document().name),
            Held::Record(record, _) => Arc::clone(&record.workflow_name),
        })
    }

    /// A copy of the run, to go on with by a plan.
    ///
    /// # Errors
    /// The plan is of another workflow than the run's.
    pub(super) fn run(slf: &Bound<'_, Self>, plan: &Arc<Plan>) -> PyResult<Run> {
        let py = slf.py();
        match data::<Held>(slf.as_super())? {
            Held::Live(run) => {
                if run.plan_hash() == plan.hash() {
                    return Ok((**run).clone());
                }
                let changes = run.plan().digest().changes(plan.digest());
                let message = format!("workflow has changed since the run was started: {}", changes.join(", "));
                Err(execution_error(py, "snapshot.plan_changed", message, Some(OTHER_PLAN)))
            }
            Held::Record(record, snapshot) => {
                let as_record;
                let snapshot = if let Some(Snapshot(snapshot)) = snapshot {
                    snapshot
                } else {
                    as_record = codec::version_1(record);
                    &as_record
                };
                Run::restore(Arc::clone(plan), snapshot).map_err(|error| codec::snapshot_error(py, &error))
            }
        }
    }

    /// What a pump's run has become; with `strict`, a failure is raised.
    pub(super) fn finish<'py>(py: Python<'py>, pump: &PyPump, strict: bool) -> PyResult<Bound<'py, PyAny>> {
        let finished = pump.take()?;
        let state = match finished.run {
            Ok(run) => Self::live(py, run)?,
            Err(record) => Self::record(py, *record)?,
        };
        if !strict {
            return Ok(state);
        }
        match data::<Held>(state.cast::<Self>()?.as_super())? {
            Held::Live(run) if run.status() == RunStatus::Failed => {
                Err(Self::exception(py, run, finished.exception, &state))
            }
            // A handler that was cancelled cancels the run, and the caller learns it the way asyncio says it.
            Held::Live(run) if run.status() == RunStatus::Cancelled => {
                finished.exception.map_or_else(|| Ok(state.clone()), Err)
            }
            Held::Live(_) => Ok(state.clone()),
            Held::Record(..) => finished.exception.map_or_else(|| Ok(state.clone()), Err),
        }
    }

    /// What a strict function raises: the handler's own exception, or one that says what the machine found.
    fn exception(py: Python<'_>, run: &Run, raised: Option<PyErr>, state: &Bound<'_, PyAny>) -> PyErr {
        let Some(failure) = run.error() else {
            return PyValueError::new_err("the run has failed without a failure");
        };
        if let Some(error) = raised {
            if let Some(node) = &failure.node_id {
                let name = &run.plan().workflows()[0].document().name;
                let frame = failure.frame_id.as_deref().unwrap_or("root");
                let note = format!(
                    "in step '{node}' of workflow '{name}' (frame '{frame}', attempt {})",
                    failure.failure.attempt
                );
                // A note is a courtesy: an exception that takes none is raised without.
                let _ = error.add_note(py, &note);
            }
            return error;
        }
        let error = failed(py, &failure);
        if let Err(problem) = error.value(py).setattr(intern!(py, "run"), state) {
            return problem;
        }
        error
    }
}

/// Registers the class of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PyRunState>(module, &INFO)
}
