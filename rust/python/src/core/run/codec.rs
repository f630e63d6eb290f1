//! Runs as plain data and back.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use wf_core::document;
use wf_core::document::{Codec, Definitions, Document, Part, Reader};
use wf_core::plan::Plan;
use wf_core::run::{Run, SnapshotError};
use wf_core::value::{Object, Value};

use super::record::RunRecord;
use super::state::{Held, OTHER_PLAN, PyRunState, Snapshot};
use crate::convert::{Instances, object_to_python, to_value};
use crate::document::{data, document_error, register_class};
use crate::document_class;
use crate::error::{Class, Exception, raised};

document! {
    /// A run as plain data: what readers see under `state`, and what the machine needs to go on.
    #[derive(Clone, Debug, PartialEq)]
    pub struct PersistedRunState: "PersistedRunState" {
        /// The version: 2, or 1 for runs of the predecessor.
        pub version: u32 => Version = 1,
        /// The run as a record.
        pub state: Object,
        /// What the plan was, so that a changed workflow is noticed.
        pub plan: Option<Object> = None,
        /// What the machine needs to go on.
        pub run: Option<Object> = None,
    }
    unknown Forbid;
    compact without_nulls;
}

/// A version that can be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Version;

impl Codec<u32> for Version {
    fn read(value: &Value, reader: &mut Reader) -> Option<u32> {
        let version = u32::read(value, reader)?;
        if !matches!(version, 1 | 2) {
            reader.problem("snapshot.version", format!("expected version 1 or 2, got {version}"));
        }
        Some(version)
    }

    fn write(part: &u32) -> Value {
        part.write()
    }

    fn schema(_: &mut Definitions) -> Value {
        Object::from_iter([("enum", Value::from(vec![1_i64, 2]))]).into()
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the declaration hands the object over")]
fn without_nulls(_: &PersistedRunState, object: Object) -> Value {
    object
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(key, value)| (Arc::clone(key), value.clone()))
        .collect::<Object>()
        .into()
}

document_class! {
    /// A run as plain data.
    class PyPersistedRunState("PersistedRunState", "wf_core.run_codec") of PersistedRunState {
        fields: [version, state, plan, run],
    }
}

/// A record in the form that the machine reads as the predecessor's.
pub(super) fn version_1(record: &RunRecord) -> Value {
    Object::from_iter([("version", Value::Int(1)), ("state", record.dump())]).into()
}

/// The exception of a snapshot that cannot be used.
pub(super) fn snapshot_error(py: Python<'_>, error: &SnapshotError) -> PyErr {
    raised((|| {
        let changed = matches!(error, SnapshotError::PlanChanged { .. });
        let class = if changed { Class::WorkflowExecution } else { Class::Snapshot };
        let hint = changed.then_some(OTHER_PLAN);
        Exception::new(py, class, error.to_string())?
            .with("code", error.code())?
            .with("path", error.path())?
            .with("hint", hint)?
            .build()
    })())
}

/// A run as plain data that `load_run_state` takes.
#[pyfunction]
#[pyo3(signature = (run, /))]
fn dump_run_state<'py>(run: &Bound<'py, PyRunState>) -> PyResult<Bound<'py, PyDict>> {
    let mut envelope = Object::with_capacity(4);
    match data::<Held>(run.as_super())? {
        Held::Live(run) => {
            let snapshot = run.snapshot();
            envelope.insert("version", Value::Int(2));
            envelope.insert("state", Held::Live(Arc::clone(run)).record().dump());
            for key in ["plan", "run"] {
                envelope.insert(key, snapshot.as_object().and_then(|snapshot| snapshot.get(key).cloned()));
            }
        }
        Held::Record(_, Some(Snapshot(Value::Object(snapshot)))) => envelope = snapshot.clone(),
        Held::Record(record, _) => {
            envelope.insert("version", Value::Int(1));
            envelope.insert("state", record.dump());
        }
    }
    object_to_python(run.py(), &envelope)
}

/// A run from the plain data of `dump_run_state`, or from that of the predecessor.
#[pyfunction]
#[pyo3(signature = (payload, /))]
fn load_run_state<'py>(payload: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = payload.py();
    let value = to_value(payload, Instances::Dump).map_err(|error| error.into_exception(py, Some("run state")))?;
    let envelope = PersistedRunState::parse(&value).map_err(|error| document_error(py, &error))?;
    let mut record = RunRecord::parse(&envelope.state.clone().into()).map_err(|error| {
        raised((|| {
            let exception =
                Exception::new(py, Class::Snapshot, format!("invalid persisted workflow run state: {error}"))?
                    .with("path", error.problems.first().map(|problem| format!("state.{}", problem.path)))?
                    .build()?;
            Ok(exception)
        })())
    })?;
    // The scope's copy of the state is the one that a run goes on with.
    if let Some((_, root)) = record.scopes.iter().find(|(id, _)| &**id == "root") {
        record.state = root.committed_state.clone();
    }
    if envelope.version == 1 {
        // The record has every default filled in, which documents of the predecessor may leave out.
        return PyRunState::record(py, record);
    }
    PyRunState::loaded(py, record, value)
}

/// A run from a snapshot of the machine.
pub(super) fn restore(py: Python<'_>, plan: Arc<Plan>, snapshot: &Bound<'_, PyAny>) -> PyResult<Run> {
    let value = to_value(snapshot, Instances::Dump).map_err(|error| error.into_exception(py, Some("snapshot")))?;
    Run::restore(plan, &value).map_err(|error| snapshot_error(py, &error))
}

/// Registers the class and functions of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PyPersistedRunState>(module, PyPersistedRunState::INFO)?;
    module.add_function(wrap_pyfunction!(dump_run_state, module)?)?;
    module.add_function(wrap_pyfunction!(load_run_state, module)?)
}
