//! `SourceSnapshot`: the registry at one moment, as a mapping and as projections.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList};
use wf_platform::capability::Entry;
use wf_platform::inventory::{inspect_source, list_sources};
use wf_platform::projection::{self, AdminExposure, Surface};
use wf_platform::registry::{Found, SourceRegistry};

use super::error::OrRaise;
use super::handle::Handle;
use super::source::PyCapabilitySource;
use crate::document::show;

/// The registry's state at one moment.
pub(crate) type Snapshot = wf_platform::registry::Snapshot<Handle>;

/// The registry.
pub(crate) type Registry = SourceRegistry<Handle>;

/// The sources of a process at one moment; a mapping from id to source that never changes.
#[pyclass(name = "SourceSnapshot", module = "wf_platform.sources", frozen, mapping)]
pub(crate) struct PySourceSnapshot(pub(crate) Arc<Snapshot>);

/// The surface of that name; `client` goes by the switch for admin exposure.
pub(super) fn surface_of(name: &str, exposure: AdminExposure) -> PyResult<Surface> {
    match name {
        "planner" => Ok(Surface::Planner),
        "client" => Ok(Surface::Client(exposure)),
        "admin" => Ok(Surface::Admin),
        other => {
            Err(PyValueError::new_err(format!("unknown surface {other:?}; expected one of planner, client, admin")))
        }
    }
}

/// The switch for admin exposure, from the flag that Python has for it.
pub(super) fn exposure(shown: bool) -> AdminExposure {
    if shown { AdminExposure::Shown } else { AdminExposure::Hidden }
}

/// The object behind a capability, or `None` when only its contract is known.
pub(super) fn object<'py, C>(py: Python<'py>, capability: &Entry<C, Handle>) -> Option<Bound<'py, PyAny>> {
    capability.handle().map(|handle| handle.bind(py))
}

pub(super) fn dict_of<'s, 'py, C: 's>(
    py: Python<'py>,
    shown: impl Iterator<Item = (&'s Arc<str>, Found<'s, C, Handle>)>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, found) in shown {
        dict.set_item(&**name, object(py, found.capability))?;
    }
    Ok(dict)
}

/// The source of an entry as Python sees it: with the operator's overrides applied.
pub(super) fn shown_source<'py>(py: Python<'py>, snapshot: &Snapshot, id: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(entry) = snapshot.get(id) else { return Ok(None) };
    Ok(Some(Bound::new(py, PyCapabilitySource::of(entry.source().clone()))?.into_any()))
}

/// The methods that a snapshot and a registry have in common; each asks one snapshot.
macro_rules! reading_methods {
    ($class:ident, $snapshot:ident, { $($own:tt)* }) => {
        #[pymethods]
        impl $class {
            $($own)*

            fn __len__(&self) -> usize {
                self.$snapshot().len()
            }

            fn __contains__(&self, id: &Bound<'_, PyAny>) -> bool {
                id.extract::<std::borrow::Cow<'_, str>>().is_ok_and(|id| self.$snapshot().get(&id).is_some())
            }

            fn __getitem__<'py>(&self, py: Python<'py>, id: &str) -> PyResult<Bound<'py, PyAny>> {
                let snapshot = self.$snapshot();
                snapshot.require(id).or_raise(py)?;
                // The snapshot was asked a moment ago and does not change.
                shown_source(py, &snapshot, id)?.ok_or_else(|| PyValueError::new_err("the source is gone"))
            }

            fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
                self.keys(py)?.try_iter()
            }

            /// The source of that id, or the default.
            #[pyo3(signature = (id, default = None, /))]
            fn get<'py>(
                &self,
                py: Python<'py>,
                id: &str,
                default: Option<Bound<'py, PyAny>>,
            ) -> PyResult<Option<Bound<'py, PyAny>>> {
                Ok(shown_source(py, &self.$snapshot(), id)?.or(default))
            }

            /// All ids, sorted.
            fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
                let snapshot = self.$snapshot();
                PyList::new(py, snapshot.iter().map(|entry| entry.id().as_str()))
            }

            /// All sources, sorted by id.
            fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
                let snapshot = self.$snapshot();
                let list = PyList::empty(py);
                for entry in snapshot.iter() {
                    list.append(Bound::new(py, PyCapabilitySource::of(entry.source().clone()))?)?;
                }
                Ok(list)
            }

            /// Ids and sources, sorted by id.
            fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
                let snapshot = self.$snapshot();
                let list = PyList::empty(py);
                for entry in snapshot.iter() {
                    let source = Bound::new(py, PyCapabilitySource::of(entry.source().clone()))?;
                    list.append((entry.id().as_str(), source))?;
                }
                Ok(list)
            }

            /// Counts the changes since the registry was made.
            #[getter]
            fn revision(&self) -> u64 {
                self.$snapshot().revision()
            }

            /// The id of the source that a qualified name belongs to, and the name within it.
            #[pyo3(signature = (name, /))]
            fn owner(&self, name: &str) -> Option<(String, String)> {
                let snapshot = self.$snapshot();
                snapshot.owner(name).map(|(entry, local_name)| (entry.id().to_string(), local_name.to_owned()))
            }

            /// Names that a source claims and nobody can reach, since a source with a longer id owns them.
            #[pyo3(signature = (id, /))]
            fn shadowed(&self, id: &str) -> Vec<String> {
                self.$snapshot().shadowed(id).iter().map(ToString::to_string).collect()
            }

            /// A page of statuses, sorted by id.
            #[pyo3(signature = (*, cursor = None, limit = 50))]
            fn list_sources<'py>(
                &self,
                py: Python<'py>,
                cursor: Option<&str>,
                limit: i64,
            ) -> PyResult<Bound<'py, PyAny>> {
                show(py, list_sources(&self.$snapshot(), cursor, limit).or_raise(py)?)
            }

            /// The full inventory of one source.
            #[pyo3(signature = (source_id))]
            fn inspect_source<'py>(&self, py: Python<'py>, source_id: &str) -> PyResult<Bound<'py, PyAny>> {
                show(py, inspect_source(&self.$snapshot(), source_id).or_raise(py)?)
            }

            /// What the operator decided about a source, whether it is there or not.
            #[pyo3(signature = (id, /))]
            fn overrides<'py>(&self, py: Python<'py>, id: &str) -> PyResult<Bound<'py, PyAny>> {
                show(py, self.$snapshot().overrides(id).as_ref().clone())
            }

            /// How a source is doing at `now` (milliseconds since the epoch): `ok`, `stale`, `failed`, `disabled` or
            /// `never_connected`, with the age in milliseconds and the error where there are any.
            #[pyo3(signature = (id, /, *, now))]
            fn state<'py>(&self, py: Python<'py>, id: &str, now: u64) -> PyResult<Bound<'py, PyDict>> {
                super::registry::shown_state(py, self.$snapshot().require(id).or_raise(py)?.state(now))
            }

            /// The node specs that a surface shows, by name.
            #[pyo3(signature = (surface = "planner"))]
            fn node_specs<'py>(&self, py: Python<'py>, surface: &str) -> PyResult<Bound<'py, PyDict>> {
                let surface = surface_of(surface, AdminExposure::Hidden)?;
                dict_of(py, projection::node_specs(&self.$snapshot(), surface))
            }

            /// The reducers that a surface shows, by name.
            #[pyo3(signature = (surface = "planner"))]
            fn reducers<'py>(&self, py: Python<'py>, surface: &str) -> PyResult<Bound<'py, PyDict>> {
                let surface = surface_of(surface, AdminExposure::Hidden)?;
                dict_of(py, projection::reducers(&self.$snapshot(), surface))
            }

            /// The tools that a surface shows, by name.
            #[pyo3(signature = (surface = "client", *, admin_exposure = false))]
            fn tools<'py>(
                &self,
                py: Python<'py>,
                surface: &str,
                admin_exposure: bool,
            ) -> PyResult<Bound<'py, PyDict>> {
                let surface = surface_of(surface, exposure(admin_exposure))?;
                dict_of(py, projection::tools(&self.$snapshot(), surface))
            }

            /// The prompts that a surface shows, by name.
            #[pyo3(signature = (surface = "client", *, admin_exposure = false))]
            fn prompts<'py>(
                &self,
                py: Python<'py>,
                surface: &str,
                admin_exposure: bool,
            ) -> PyResult<Bound<'py, PyDict>> {
                let surface = surface_of(surface, exposure(admin_exposure))?;
                dict_of(py, projection::prompts(&self.$snapshot(), surface))
            }

            /// The resources that a surface shows, by name.
            #[pyo3(signature = (surface = "client", *, admin_exposure = false))]
            fn resources<'py>(
                &self,
                py: Python<'py>,
                surface: &str,
                admin_exposure: bool,
            ) -> PyResult<Bound<'py, PyDict>> {
                let surface = surface_of(surface, exposure(admin_exposure))?;
                dict_of(py, projection::resources(&self.$snapshot(), surface))
            }

            /// The node spec of that name, if the surface shows it.
            #[pyo3(signature = (name, surface = "planner"))]
            fn find_node_spec<'py>(
                &self,
                py: Python<'py>,
                name: &str,
                surface: &str,
            ) -> PyResult<Option<Bound<'py, PyAny>>> {
                let surface = surface_of(surface, AdminExposure::Hidden)?;
                let snapshot = self.$snapshot();
                let found = projection::find_node_spec(&snapshot, surface, name).or_raise(py)?;
                Ok(object(py, found.capability))
            }

            /// The reducer of that name, if the surface shows it.
            #[pyo3(signature = (name, surface = "planner"))]
            fn find_reducer<'py>(
                &self,
                py: Python<'py>,
                name: &str,
                surface: &str,
            ) -> PyResult<Option<Bound<'py, PyAny>>> {
                let surface = surface_of(surface, AdminExposure::Hidden)?;
                let snapshot = self.$snapshot();
                let found = projection::find_reducer(&snapshot, surface, name).or_raise(py)?;
                Ok(object(py, found.capability))
            }

            /// The tool of that name, if the surface shows it.
            #[pyo3(signature = (name, surface = "client", *, admin_exposure = false))]
            fn find_tool<'py>(
                &self,
                py: Python<'py>,
                name: &str,
                surface: &str,
                admin_exposure: bool,
            ) -> PyResult<Option<Bound<'py, PyAny>>> {
                let surface = surface_of(surface, exposure(admin_exposure))?;
                let snapshot = self.$snapshot();
                let found = projection::find_tool(&snapshot, surface, name).or_raise(py)?;
                Ok(object(py, found.capability))
            }
        }
    };
}

pub(super) use reading_methods;

impl PySourceSnapshot {
    fn current(&self) -> Arc<Snapshot> {
        Arc::clone(&self.0)
    }
}

reading_methods!(PySourceSnapshot, current, {
    fn __repr__(&self) -> String {
        format!("SourceSnapshot({} sources, revision {})", self.0.len(), self.0.revision())
    }
});
