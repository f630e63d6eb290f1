//! `SourceRegistry`: the sources of a process, for changing and for reading.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList};
use wf_platform::inventory::{inspect_source, list_sources};
use wf_platform::projection::{self, AdminExposure};
use wf_platform::registry::{Change, KindDiff, SubscriptionId};
use wf_platform::source::{SourceHealth, SourceState};

use super::error::OrRaise;
use super::handle::Handle;
use super::snapshot::{
    PySourceSnapshot, Registry, Snapshot, dict_of, exposure, object, reading_methods, shown_source, surface_of,
};
use super::source::{PyCapabilitySource, document_of, id_of, source_of};
use crate::document::show;

/// The sources of a process; a live mapping from id to source.
#[pyclass(name = "SourceRegistry", module = "wf_platform.sources", frozen, mapping)]
pub(crate) struct PySourceRegistry(pub(crate) Arc<Registry>);

impl PySourceRegistry {
    fn current(&self) -> Arc<Snapshot> {
        self.0.snapshot()
    }
}

/// One change of the registry.
#[pyclass(name = "SourceChange", module = "wf_platform.sources", frozen)]
pub(crate) struct PySourceChange(Change<Handle>);

/// Ends a subscription.
#[pyclass(name = "SourceSubscription", module = "wf_platform.sources", frozen)]
pub(crate) struct PySourceSubscription {
    registry: Arc<Registry>,
    id: SubscriptionId,
}

/// A state as a dict: its name, and the age and the error where there are any.
pub(super) fn shown_state(py: Python<'_>, state: SourceState) -> PyResult<Bound<'_, PyDict>> {
    let shown = PyDict::new(py);
    shown.set_item("state", state.as_str())?;
    match state {
        SourceState::Stale { age } => shown.set_item("age_ms", age)?,
        SourceState::Failed { error, age } => {
            shown.set_item("error", &*error)?;
            shown.set_item("age_ms", age)?;
        }
        SourceState::Ok | SourceState::Disabled | SourceState::NeverConnected => {}
    }
    Ok(shown)
}

reading_methods!(PySourceRegistry, current, {
    #[new]
    #[pyo3(signature = (sources = None, /))]
    fn __new__(py: Python<'_>, sources: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let registry = Registry::new();
        if let Some(sources) = sources {
            for source in sources.try_iter()? {
                registry.add(source_of(&source?)?).or_raise(py)?;
            }
        }
        Ok(Self(Arc::new(registry)))
    }

    /// The sources as they are now.
    fn snapshot(&self) -> PySourceSnapshot {
        PySourceSnapshot(self.current())
    }

    /// Adds a source under a new id that is not reserved.
    #[pyo3(signature = (source, /))]
    fn add(&self, source: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.add(source_of(source)?).or_raise(source.py())
    }

    /// Adds a source of the platform: its kind is `system` and its id is under `wf.`.
    #[pyo3(signature = (source, /))]
    fn add_builtin(&self, source: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.add_builtin(source_of(source)?).or_raise(source.py())
    }

    /// Replaces what is known of a source; what the operator decided stays.
    #[pyo3(signature = (source, /))]
    fn replace(&self, source: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.replace(source_of(source)?).or_raise(source.py())
    }

    /// Removes a source; what the operator decided stays and applies again when it comes back.
    #[pyo3(signature = (id, /))]
    fn remove(&self, py: Python<'_>, id: &str) -> PyResult<()> {
        self.0.remove(id).or_raise(py)
    }

    /// Enables a source, whatever its provider declares.
    #[pyo3(signature = (id, /))]
    fn enable(&self, py: Python<'_>, id: &str) -> PyResult<()> {
        self.0.enable(id).or_raise(py)
    }

    /// Disables a source, whatever its provider declares.
    #[pyo3(signature = (id, /))]
    fn disable(&self, py: Python<'_>, id: &str) -> PyResult<()> {
        self.0.disable(id).or_raise(py)
    }

    /// Sets what the operator decided about a source.
    #[pyo3(signature = (id, overrides, /))]
    fn set_overrides(&self, id: &str, overrides: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = overrides.py();
        self.0.set_overrides(&id_of(py, id)?, document_of(overrides)?).or_raise(py)
    }

    /// Notes that a source's capabilities are as they were read last.
    #[pyo3(signature = (id, /))]
    fn note_ok(&self, py: Python<'_>, id: &str) -> PyResult<()> {
        self.0.set_health(id, SourceHealth::Ok).or_raise(py)
    }

    /// Notes that a source's capabilities come from a snapshot; times are milliseconds.
    #[pyo3(signature = (id, /, *, fetched_at, max_age))]
    fn note_snapshot(&self, py: Python<'_>, id: &str, fetched_at: u64, max_age: u64) -> PyResult<()> {
        self.0.set_health(id, SourceHealth::Snapshot { fetched_at, max_age }).or_raise(py)
    }

    /// Notes that the last contact with a source failed; times are milliseconds since the epoch.
    #[pyo3(signature = (id, error, /, *, at, fetched_at = None))]
    fn note_failure(&self, py: Python<'_>, id: &str, error: &str, at: u64, fetched_at: Option<u64>) -> PyResult<()> {
        self.0.set_health(id, SourceHealth::Failed { error: error.into(), at, fetched_at }).or_raise(py)
    }

    /// Notes that a source was configured but never reached.
    #[pyo3(signature = (id, /))]
    fn note_never_connected(&self, py: Python<'_>, id: &str) -> PyResult<()> {
        self.0.set_health(id, SourceHealth::NeverConnected).or_raise(py)
    }

    /// Calls `subscriber` with a `SourceChange` after every change, in the order of the changes.
    ///
    /// What it raises is reported as unraisable and keeps nobody else from being told.
    #[pyo3(signature = (subscriber, /))]
    fn subscribe(&self, subscriber: Py<PyAny>) -> PySourceSubscription {
        let id = self.0.subscribe(Arc::new(move |change: &Change<Handle>| {
            Python::attach(|py| {
                let subscriber = subscriber.bind(py);
                if let Err(error) = subscriber.call1((PySourceChange(change.clone()),)) {
                    error.write_unraisable(py, Some(subscriber));
                }
            });
        }));
        PySourceSubscription { registry: Arc::clone(&self.0), id }
    }

    fn __repr__(&self) -> String {
        format!("SourceRegistry({} sources, revision {})", self.current().len(), self.current().revision())
    }
});

#[pymethods]
impl PySourceSubscription {
    /// Ends the subscription; whether it was still there.
    fn cancel(&self) -> bool {
        self.registry.unsubscribe(self.id)
    }
}

#[pymethods]
impl PySourceChange {
    /// The source that changed.
    #[getter]
    fn source_id(&self) -> &str {
        self.0.id().as_str()
    }

    /// What happened: `added`, `replaced`, `removed`, `enabled`, `disabled`, `overridden` or `health_changed`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind().as_str()
    }

    /// The revision the change led to.
    #[getter]
    fn revision(&self) -> u64 {
        self.0.revision()
    }

    /// The registry before the change.
    #[getter]
    fn before(&self) -> PySourceSnapshot {
        PySourceSnapshot(Arc::clone(self.0.before()))
    }

    /// The registry after the change.
    #[getter]
    fn after(&self) -> PySourceSnapshot {
        PySourceSnapshot(Arc::clone(self.0.after()))
    }

    /// Which capabilities were added, removed or changed, by kind; kinds without a change are left out.
    fn catalog_diff<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let diff = self.0.catalog_diff();
        let shown = PyDict::new(py);
        let kinds = [
            ("tools", &diff.tools),
            ("node_specs", &diff.node_specs),
            ("reducers", &diff.reducers),
            ("prompts", &diff.prompts),
            ("resources", &diff.resources),
        ];
        for (kind, part) in kinds.into_iter().filter(|(_, part)| !part.is_empty()) {
            shown.set_item(kind, shown_part(py, part)?)?;
        }
        Ok(shown)
    }

    fn __repr__(&self) -> String {
        format!("SourceChange({:?}, {:?}, revision={})", self.source_id(), self.kind(), self.revision())
    }
}

fn shown_part<'py>(py: Python<'py>, part: &KindDiff) -> PyResult<Bound<'py, PyDict>> {
    let shown = PyDict::new(py);
    for (key, names) in [("added", &part.added), ("removed", &part.removed), ("changed", &part.changed)] {
        shown.set_item(key, names.iter().map(|name| &**name).collect::<Vec<_>>())?;
    }
    Ok(shown)
}
