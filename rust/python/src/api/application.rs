//! `Application`: the operations over a store and a registry, for Python.
//!
//! Every operation that touches the store releases the interpreter while it waits for the disk.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use wf_api::error::ApiError;
use wf_api::operations::{Application, Begun, CallEnd, CallTarget, OperationResult, TraceRange};
use wf_api::process::Process;
use wf_api::store::{Durability, MemoryStore, SqliteOptions, SqliteStore, Store};
use wf_core::document::Document as _;
use wf_core::run::Run;
use wf_core::value::{Object, Value};
use wf_platform::artifact::{ArtifactDraft, ArtifactKind, RequiredCapability, WorkflowArtifact};
use wf_platform::deployment::{DependencyDiagnostic, SourceBinding, WorkflowDeployment};

use super::errors::{api_error, argument_error, store_error};
use super::prepared::{PyCallTarget, PyPrepared};
use crate::convert::{Instances, object_to_python, to_object, to_value};
use crate::core::PyRunState;

use crate::document::{document_error, document_names};
use crate::error::{NO_OBJECT, no_object};
use crate::platform::{Handle, PySourceRegistry};

/// An application whose capabilities are Python objects.
#[pyclass(name = "Application", module = "_wf._native.api", frozen)]
pub(crate) struct PyApplication(Application<Handle>);

/// Registers the class of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyApplication>()
}

/// A start and a limit.
type Range = Option<(i64, i64)>;

fn range_of(range: Range) -> Result<Option<TraceRange>, ApiError> {
    range.map(|(start, limit)| TraceRange::new(start, limit)).transpose()
}

impl PyApplication {
    /// The application; what is shared is cheap to copy.
    pub(super) fn shared(&self) -> Application<Handle> {
        self.0.clone()
    }

    /// Runs an operation without the interpreter and shows its result.
    fn done<'py>(
        &self,
        py: Python<'py>,
        operation: impl FnOnce(&Application<Handle>) -> OperationResult + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let result = py.detach(|| operation(&self.0)).map_err(|error| api_error(py, &error))?;
        Ok(object_to_python(py, &result)?.into_any())
    }
}

fn artifact_version(version: i64) -> Result<u32, ApiError> {
    u32::try_from(version).ok().filter(|version| *version > 0).ok_or(ApiError::ArtifactVersion { got: version })
}

fn type_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "an object".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn value_of(given: &Bound<'_, PyAny>, what: &str) -> PyResult<Value> {
    to_value(given, Instances::Dump).map_err(|error| error.into_exception(given.py(), Some(what)))
}

fn object_of(given: &Bound<'_, PyAny>, what: &str) -> PyResult<Object> {
    to_object(given, Instances::Dump)
        .map_err(|error| error.into_exception(given.py(), Some(what)))?
        .ok_or_else(|| argument_error(given.py(), what, &format!("must be a mapping, got {}", type_name(given))))
}

/// An object that is ready to run, or the JSON of a result.
fn ready(py: Python<'_>, made: Result<PyPrepared, Object>) -> PyResult<Bound<'_, PyAny>> {
    match made {
        Ok(prepared) => Ok(Bound::new(py, prepared)?.into_any()),
        Err(result) => Ok(object_to_python(py, &result)?.into_any()),
    }
}

#[pymethods]
impl PyApplication {
    #[new]
    #[pyo3(signature = (registry, root = None, *, durability = "full"))]
    fn new(py: Python<'_>, registry: &PySourceRegistry, root: Option<PathBuf>, durability: &str) -> PyResult<Self> {
        let durability = match durability {
            "full" => Durability::Full,
            "normal" => Durability::Normal,
            "off" => Durability::Off,
            other => {
                return Err(argument_error(
                    py,
                    "durability",
                    &format!("must be one of: full, normal, off; got {other:?}"),
                ));
            }
        };
        let (store, process): (Arc<dyn Store>, _) = match root {
            None => (Arc::new(MemoryStore::new()), Process::alone()?),
            Some(root) => {
                let options = SqliteOptions { durability, ..SqliteOptions::default() };
                let opened = py.detach(|| SqliteStore::open_with(&root, options));
                let store = opened.map_err(|error| store_error(py, &error))?;
                (Arc::new(store), Process::among(&root.join("processes"))?)
            }
        };
        Ok(Self(Application::new(store, Arc::clone(&registry.0), process)))
    }

    // Sources.

    #[pyo3(signature = (cursor, limit, /))]
    fn list_sources<'py>(&self, py: Python<'py>, cursor: Option<&str>, limit: i64) -> PyResult<Bound<'py, PyAny>> {
        self.done(py, |app| app.list_sources(cursor, limit))
    }

    #[pyo3(signature = (source_id, /))]
    fn inspect_source<'py>(&self, py: Python<'py>, source_id: &str) -> PyResult<Bound<'py, PyAny>> {
        self.done(py, |app| app.inspect_source(source_id))
    }

    #[pyo3(signature = (source_id, /))]
    fn diagnose_source<'py>(&self, py: Python<'py>, source_id: &str) -> PyResult<Bound<'py, PyAny>> {
        self.done(py, |app| app.diagnose_source(source_id))
    }

    // Capabilities.

    #[pyo3(signature = (query, source_id, cursor, limit, /))]
    fn list_capabilities<'py>(
        &self,
        py: Python<'py>,
        query: Option<&str>,
        source_id: Option<&str>,
        cursor: Option<&str>,
        limit: i64,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.done(py, |app| app.list_capabilities(query, source_id, cursor, limit))
    }

    #[pyo3(signature = (qualified_name, /))]
    fn inspect_capability<'py>(&self, py: Python<'py>, qualified_name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.done(py, |app| app.inspect_capability(qualified_name))
    }

    /// What a call executes, or the result of one that cannot be made.
    #[pyo3(signature = (qualified_name, payload, deployment_id, /))]
    fn begin_call<'py>(
        &self,
        qualified_name: &str,
        payload: &Bound<'py, PyAny>,
        deployment_id: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = payload.py();
        let payload = object_of(payload, "payload")?;
        let begun = py.detach(|| self.0.begin_call(qualified_name, &payload, deployment_id));
        match begun.map_err(|error| api_error(py, &error))? {
            CallTarget::Refused(result) => Ok(object_to_python(py, &result)?.into_any()),
            CallTarget::Workflow(prepared) => ready(py, Ok(PyPrepared::new(*prepared))),
            CallTarget::Node { contract, handle, bindings, platform_sources } => {
                let target = PyCallTarget { contract, handle, bindings, platform_sources };
                Ok(Bound::new(py, target)?.into_any())
            }
        }
    }

    /// The result of a call that returned.
    #[pyo3(signature = (qualified_name, deployment_id, outcome, output, /))]
    fn call_returned<'py>(
        &self,
        qualified_name: &str,
        deployment_id: Option<&str>,
        outcome: &str,
        output: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = output.py();
        let end = CallEnd::Returned { outcome: outcome.into(), output: object_of(output, "output")? };
        Ok(object_to_python(py, &self.0.finish_call(qualified_name, deployment_id, &end))?.into_any())
    }

    /// The result of a call that failed.
    #[pyo3(signature = (qualified_name, deployment_id, code, message, /))]
    fn call_failed<'py>(
        &self,
        py: Python<'py>,
        qualified_name: &str,
        deployment_id: Option<&str>,
        code: Option<&str>,
        message: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let end = CallEnd::Failed { code: code.map(Arc::from), message: message.to_owned() };
        Ok(object_to_python(py, &self.0.finish_call(qualified_name, deployment_id, &end))?.into_any())
    }

    // Artifacts.

    #[pyo3(signature = (query, kind, cursor, limit, /))]
    fn list_artifacts<'py>(
        &self,
        py: Python<'py>,
        query: Option<&str>,
        kind: Option<&str>,
        cursor: Option<&str>,
        limit: i64,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.done(py, |app| app.list_artifacts(query, kind, cursor, limit))
    }

    #[pyo3(signature = (artifact, /))]
    fn save_artifact<'py>(&self, artifact: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let document = value_of(artifact, "artifact")?;
        self.done(artifact.py(), |app| app.save_artifact(&document))
    }

    #[pyo3(signature = (
        *, artifact_id, version, title, plan, outcomes, kind = "workflow", description = None,
        required_capabilities = None, source_bindings = None, created_from_catalog_version = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "a compatibility surface")]
    fn create_artifact_from_plan<'py>(
        &self,
        artifact_id: &str,
        version: i64,
        title: &str,
        plan: &Bound<'py, PyAny>,
        outcomes: Vec<String>,
        kind: &str,
        description: Option<&str>,
        required_capabilities: Option<&Bound<'py, PyAny>>,
        source_bindings: Option<&Bound<'py, PyAny>>,
        created_from_catalog_version: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = plan.py();
        let draft = ArtifactDraft {
            artifact_id: artifact_id.into(),
            version: artifact_version(version).map_err(|error| api_error(py, &error))?,
            title: title.into(),
            kind: ArtifactKind::from_word(kind)
                .ok_or_else(|| api_error(py, &ApiError::ArtifactKind { got: kind.to_owned() }))?,
            description: description.map(Into::into),
            plan: document_names(&object_of(plan, "plan")?),
            outcomes: outcomes.into_iter().map(Into::into).collect(),
            required_capabilities: requirements(required_capabilities)?,
            source_bindings: bindings(source_bindings)?,
            created_from_catalog_version: created_from_catalog_version
                .map_or(Ok(Value::Null), |version| value_of(version, "created_from_catalog_version"))?,
            observed_at_epoch_ms: None,
        };
        self.done(py, |app| app.create_artifact_from_plan(draft))
    }

    #[pyo3(signature = (artifact_id, version, /))]
    fn inspect_artifact<'py>(&self, py: Python<'py>, artifact_id: &str, version: i64) -> PyResult<Bound<'py, PyAny>> {
        self.done(py, |app| app.inspect_artifact(artifact_id, artifact_version(version)?))
    }

    #[pyo3(signature = (artifact_id, version, /))]
    fn delete_artifact<'py>(&self, py: Python<'py>, artifact_id: &str, version: i64) -> PyResult<Bound<'py, PyAny>> {
        self.done(py, |app| app.delete_artifact(artifact_id, artifact_version(version)?))
    }

    // Deployments.

    fn list_deployments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.done(py, Application::list_deployments)
    }

    #[pyo3(signature = (deployment_id, /))]
    fn inspect_deployment<'py>(&self, py: Python<'py>, deployment_id: &str) -> PyResult<Bound<'py, PyAny>> {
        self.done(py, |app| app.inspect_deployment(deployment_id))
    }

    #[pyo3(signature = (deployment, /))]
    fn save_deployment<'py>(&self, deployment: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let document = value_of(deployment, "deployment")?;
        self.done(deployment.py(), |app| app.save_deployment(&document))
    }

    #[pyo3(signature = (deployment_id, /))]
    fn delete_deployment<'py>(&self, py: Python<'py>, deployment_id: &str) -> PyResult<Bound<'py, PyAny>> {
        self.done(py, |app| app.delete_deployment(deployment_id))
    }

    #[pyo3(signature = (deployment_id, further, /))]
    fn validate_deployment<'py>(
        &self,
        deployment_id: &str,
        further: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = further.py();
        let further = match value_of(further, "diagnostics")? {
            Value::List(list) => list.iter().map(DependencyDiagnostic::parse).collect::<Result<Vec<_>, _>>(),
            other => DependencyDiagnostic::parse(&other).map(|diagnostic| vec![diagnostic]),
        }
        .map_err(|error| document_error(py, &error))?;
        self.done(py, |app| app.validate_deployment(deployment_id, &further))
    }

    // Runs.

    /// Refuses a range of a trace that is none.
    #[staticmethod]
    #[pyo3(signature = (start, limit, /))]
    fn check_trace_range(py: Python<'_>, start: i64, limit: i64) -> PyResult<()> {
        TraceRange::new(start, limit).map(|_| ()).map_err(|error| api_error(py, &error))
    }

    /// A run that is ready to be driven, or the result of a deployment or an input that cannot run.
    #[pyo3(signature = (deployment_id, workflow_input, /))]
    fn begin_run<'py>(&self, deployment_id: &str, workflow_input: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = workflow_input.py();
        let input = workflow_input_of(workflow_input);
        begun(py, py.detach(|| self.0.begin_run(deployment_id, input)))
    }

    /// An interrupted run that was answered and is ready to be driven, or the result of one that cannot go on.
    #[pyo3(signature = (run_id, interrupt_id, outcome, payload, /))]
    fn begin_resume<'py>(
        &self,
        run_id: &str,
        interrupt_id: Option<&str>,
        outcome: &str,
        payload: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = payload.py();
        let payload = object_of(payload, "resume_payload")?;
        begun(py, py.detach(|| self.0.begin_resume(run_id, interrupt_id, outcome, payload)))
    }

    /// A failed run that is tried again and is ready to be driven, or the result of one that cannot go on.
    #[pyo3(signature = (run_id, /))]
    fn begin_retry<'py>(&self, py: Python<'py>, run_id: &str) -> PyResult<Bound<'py, PyAny>> {
        begun(py, py.detach(|| self.0.begin_retry(run_id)))
    }

    /// The runs that are to be driven and that nobody drives.
    fn abandoned_runs(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let runs = py.detach(|| self.0.abandoned_runs()).map_err(|error| api_error(py, &error))?;
        Ok(runs.iter().map(ToString::to_string).collect())
    }

    /// A run that was taken over and is ready to be driven, the result of one that cannot go on, or `None` when
    /// somebody drives it after all.
    #[pyo3(signature = (run_id, /))]
    fn begin_recovery<'py>(&self, py: Python<'py>, run_id: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let recovered = py.detach(|| self.0.begin_recovery(run_id)).transpose();
        recovered.map(|recovered| begun(py, recovered)).transpose()
    }

    /// Stores how a run stopped and gives its result; one that has not stopped is given back.
    #[pyo3(signature = (prepared, state, trace_range, /))]
    fn finish_run<'py>(
        &self,
        prepared: &PyPrepared,
        state: &Bound<'py, PyRunState>,
        trace_range: Range,
    ) -> PyResult<Bound<'py, PyAny>> {
        let run = stored_run(state)?;
        let journal = prepared.journal()?;
        self.done(state.py(), |app| app.finish_run(journal, &run, range_of(trace_range)?))
    }

    /// Stores that a run is cancelled which was driven up to here, unless it has finished, and gives its result.
    #[pyo3(signature = (prepared, state, reason, trace_range, /))]
    fn cancel_driven<'py>(
        &self,
        prepared: &PyPrepared,
        state: &Bound<'py, PyRunState>,
        reason: &str,
        trace_range: Range,
    ) -> PyResult<Bound<'py, PyAny>> {
        let run = stored_run(state)?;
        let journal = prepared.journal()?;
        self.done(state.py(), |app| app.cancel_driven(journal, Run::clone(&run), reason, range_of(trace_range)?))
    }

    #[pyo3(signature = (run_id, reason, /))]
    fn cancel_run<'py>(&self, py: Python<'py>, run_id: &str, reason: &str) -> PyResult<Bound<'py, PyAny>> {
        self.done(py, |app| app.cancel_run(run_id, reason))
    }

    #[pyo3(signature = (run_id, /))]
    fn inspect_run<'py>(&self, py: Python<'py>, run_id: &str) -> PyResult<Bound<'py, PyAny>> {
        self.done(py, |app| app.inspect_run(run_id))
    }

    #[pyo3(signature = (run_id, start, limit, /))]
    fn read_run_trace<'py>(
        &self,
        py: Python<'py>,
        run_id: &str,
        start: i64,
        limit: i64,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.done(py, |app| app.read_run_trace(run_id, TraceRange::new(start, limit)?))
    }

    #[pyo3(signature = (status, cursor, limit, /))]
    fn list_runs<'py>(
        &self,
        py: Python<'py>,
        status: Option<&str>,
        cursor: Option<&str>,
        limit: i64,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.done(py, |app| app.list_runs(status, cursor, limit))
    }

    // Events.

    #[pyo3(signature = (kind, capability_id, payload, /))]
    fn record_event(&self, kind: &str, capability_id: Option<&str>, payload: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = payload.py();
        let payload = object_of(payload, "payload")?;
        py.detach(|| self.0.record_event(kind, capability_id, payload)).map_err(|error| api_error(py, &error))
    }

    #[pyo3(signature = (after, limit, /))]
    fn list_events<'py>(&self, py: Python<'py>, after: u64, limit: u64) -> PyResult<Bound<'py, PyAny>> {
        self.done(py, |app| app.list_events(after, limit))
    }
}

/// The input of a workflow, or why it is none.
fn workflow_input_of(given: &Bound<'_, PyAny>) -> Result<Object, Object> {
    let py = given.py();
    let (code, error) = match to_object(given, Instances::Refuse) {
        Ok(Some(input)) => return Ok(input),
        Ok(None) => (NO_OBJECT, no_object(py, "workflow input")),
        Err(error) => (error.code(), error.into_exception(py, Some("workflow input"))),
    };
    let kind = error.get_type(py).name().map_or_else(|_| "TypeError".to_owned(), |name| name.to_string());
    let message = error.value(py).to_string();
    Err([("code", code), ("type", &*kind), ("message", &*message)].into_iter().collect())
}

/// The machine's run behind a state that a pump gave.
fn stored_run(state: &Bound<'_, PyRunState>) -> PyResult<Arc<Run>> {
    PyRunState::shared_run(state)?.map_err(|_| PyTypeError::new_err("the state is of no stored run"))
}

/// A run that is ready to be driven, or the JSON of a result.
fn begun(py: Python<'_>, begun: Result<Begun<Handle>, ApiError>) -> PyResult<Bound<'_, PyAny>> {
    ready(
        py,
        match begun.map_err(|error| api_error(py, &error))? {
            Begun::Settled(result) => Err(result),
            Begun::Ready(driven) => Ok(PyPrepared::of(driven)),
        },
    )
}

/// Bindings as a list of documents, or as a mapping from logical to concrete source.
fn bindings(given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<SourceBinding>> {
    let Some(given) = given.filter(|given| !given.is_none()) else { return Ok(Vec::new()) };
    let py = given.py();
    // A deployment knows every shape in which bindings are written.
    let mut document = Object::new();
    document.insert("id", "draft");
    document.insert("artifact_id", "draft");
    document.insert("artifact_version", 1_i64);
    document.insert("bindings", value_of(given, "source_bindings")?);
    let deployment = WorkflowDeployment::parse(&document.into()).map_err(|error| document_error(py, &error))?;
    Ok(deployment.bindings)
}

/// Requirements as a list of documents, or as a mapping from display ref to document.
fn requirements(given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<RequiredCapability>> {
    let Some(given) = given.filter(|given| !given.is_none()) else { return Ok(Vec::new()) };
    let py = given.py();
    // An artifact knows every shape in which requirements are written.
    let mut document = Object::new();
    for key in ["id", "title"] {
        document.insert(key, "draft");
    }
    document.insert("version", 1_i64);
    for key in ["plan", "input_schema", "output_schema"] {
        document.insert(key, Object::new());
    }
    document.insert("outcomes", vec!["ok"]);
    document.insert("required_capabilities", value_of(given, "required_capabilities")?);
    let artifact = WorkflowArtifact::parse(&document.into()).map_err(|error| document_error(py, &error))?;
    Ok(artifact.required_capabilities)
}
