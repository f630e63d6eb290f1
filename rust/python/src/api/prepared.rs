//! What is ready to be driven: workflows, and the Python objects behind their nodes and reducers.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyTuple};
use wf_api::operations::{Driven, Executable, Prepared, RunJournal};
use wf_core::run::Run;
use wf_platform::capability::{NodeContract, SchemaSide};

use super::errors::api_error;
use crate::convert::object_to_python;
use crate::core::{PyPump, stored_pump};
use crate::document::show;
use crate::platform::Handle;

/// Registers the classes of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyPrepared>()?;
    module.add_class::<PyCallTarget>()
}

/// A workflow that is ready to run, with what executes it.
#[pyclass(name = "PreparedRun", module = "_wf._native.api", frozen)]
pub(crate) struct PyPrepared {
    prepared: Arc<Prepared<Handle>>,
    /// The stored run, until it is driven, and its journal.
    run: Mutex<Option<Run>>,
    journal: Option<Arc<RunJournal>>,
}

impl PyPrepared {
    pub(super) fn new(prepared: Prepared<Handle>) -> Self {
        Self { prepared: Arc::new(prepared), run: Mutex::new(None), journal: None }
    }

    pub(super) fn of(driven: Driven<Handle>) -> Self {
        let Driven { run, prepared, journal } = driven;
        Self { prepared, run: Mutex::new(Some(*run)), journal: Some(journal) }
    }

    /// The journal of the stored run.
    pub(super) fn journal(&self) -> PyResult<&Arc<RunJournal>> {
        self.journal.as_ref().ok_or_else(|| PyRuntimeError::new_err("what is prepared is no stored run"))
    }
}

/// Workflow, nodes by name, reducers by name.
fn shown<'py>(py: Python<'py>, executable: &Executable<Handle>) -> PyResult<Bound<'py, PyTuple>> {
    let nodes = PyDict::new(py);
    for (name, handle) in &executable.nodes {
        nodes.set_item(&**name, handle.bind(py))?;
    }
    let reducers = PyDict::new(py);
    for (spec, handle) in &executable.reducers {
        reducers.set_item(&*spec.name, handle.bind(py))?;
    }
    let workflow = show(py, executable.workflow.as_ref().clone())?;
    PyTuple::new(py, [workflow, nodes.into_any(), reducers.into_any()])
}

/// A list of pairs as a dict.
fn dict<'py>(py: Python<'py>, pairs: &[(Arc<str>, Arc<str>)]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (key, value) in pairs {
        dict.set_item(&**key, &**value)?;
    }
    Ok(dict)
}

fn set<'py>(py: Python<'py>, names: &[Arc<str>]) -> PyResult<Bound<'py, PyFrozenSet>> {
    PyFrozenSet::new(py, names.iter().map(|name| &**name))
}

#[pymethods]
impl PyPrepared {
    /// The run's id; `None` when the run is not stored.
    #[getter]
    fn run_id(&self) -> Option<&str> {
        self.journal.as_ref().map(|journal| &**journal.run_id())
    }

    /// Makes the pump of the stored run; only once.
    #[pyo3(signature = (registry, *, reducers, subgraphs, platform))]
    fn pump(
        &self,
        registry: &Bound<'_, PyAny>,
        reducers: &Bound<'_, PyAny>,
        subgraphs: &Bound<'_, PyAny>,
        platform: Py<PyAny>,
    ) -> PyResult<PyPump> {
        let journal = Arc::clone(self.journal()?);
        let run = self.run.lock().unwrap_or_else(PoisonError::into_inner).take();
        let run = run.ok_or_else(|| PyRuntimeError::new_err("the run is driven already"))?;
        stored_pump(run, journal, registry, Some(reducers), Some(subgraphs), Some(platform))
    }

    /// Lets go of a run that is not driven to its end; whoever recovers runs may go on with it.
    fn give_back(&self, py: Python<'_>) -> PyResult<()> {
        let journal = self.journal()?;
        py.detach(|| journal.give_back()).map_err(|error| api_error(py, &error))
    }

    /// The workflow, its nodes by name, and its custom reducers by name.
    #[getter]
    fn root<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        shown(py, &self.prepared.root)
    }

    /// The same of each saved workflow below it, by its ref.
    #[getter]
    fn children<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let children = PyDict::new(py);
        for (name, child) in &self.prepared.children {
            children.set_item(&**name, shown(py, child)?)?;
        }
        Ok(children)
    }

    /// What each logical source means.
    #[getter]
    fn bindings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dict(py, &self.prepared.bindings)
    }

    /// The sources that always mean themselves.
    #[getter]
    fn platform_sources<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        set(py, &self.prepared.platform_sources)
    }
}

/// A node that is ready to be called once.
#[pyclass(name = "CallTarget", module = "_wf._native.api", frozen)]
pub(crate) struct PyCallTarget {
    pub(super) contract: Arc<NodeContract>,
    pub(super) handle: Handle,
    pub(super) bindings: Vec<(Arc<str>, Arc<str>)>,
    pub(super) platform_sources: Vec<Arc<str>>,
}

#[pymethods]
impl PyCallTarget {
    /// What executes it.
    #[getter]
    fn spec<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.handle.bind(py)
    }

    /// The outcomes it may answer.
    #[getter]
    fn outcomes(&self) -> Vec<&str> {
        self.contract.def.outcomes.iter().map(AsRef::as_ref).collect()
    }

    /// The schema of its output.
    #[getter]
    fn output_schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        object_to_python(py, self.contract.schema(SchemaSide::Output))
    }

    /// What each logical source means during the call.
    #[getter]
    fn bindings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dict(py, &self.bindings)
    }

    /// The sources that always mean themselves.
    #[getter]
    fn platform_sources<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        set(py, &self.platform_sources)
    }
}
