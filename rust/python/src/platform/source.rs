//! `CapabilitySource`.

use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;
use wf_core::document::Document;
use wf_platform::SourceId;
use wf_platform::inventory::{SourceInventory, SourceStatus};
use wf_platform::source::{CapabilitySource, SourceKind};

use super::buckets::PyCapabilityBuckets;
use super::error::{OrRaise, platform_error};
use super::handle::Handle;
use crate::convert::{Instances, to_value};
use crate::document::{PyDocument, data, document_error, show};

/// A source whose capabilities are Python objects.
pub(crate) type Source = CapabilitySource<Handle>;

/// A named owner of capabilities; immutable, `replace(…)` gives a changed copy.
#[pyclass(name = "CapabilitySource", module = "wf_platform.sources", frozen)]
pub(crate) struct PyCapabilitySource {
    source: Source,
    buckets: PyOnceLock<Py<PyCapabilityBuckets>>,
}

impl PyCapabilitySource {
    /// The class of a source.
    pub(crate) fn of(source: Source) -> Self {
        Self { source, buckets: PyOnceLock::new() }
    }

    /// The source.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }
}

/// A document given as an instance, or as plain data.
pub(super) fn document_of<D: Document>(given: &Bound<'_, PyAny>) -> PyResult<D> {
    if let Ok(document) = given.cast::<PyDocument>()
        && let Ok(document) = data::<D>(document)
    {
        return Ok(document.clone());
    }
    let py = given.py();
    let value = to_value(given, Instances::Dump).map_err(|error| error.into_exception(py, Some(D::NAME)))?;
    D::parse(&value).map_err(|error| document_error(py, &error))
}

fn optional<D: Document + Default>(given: Option<&Bound<'_, PyAny>>) -> PyResult<D> {
    given.map_or_else(|| Ok(D::default()), document_of)
}

#[pymethods]
impl PyCapabilitySource {
    #[new]
    #[pyo3(signature = (
        id, kind, capabilities = None, enabled = true, visibility = None, permissions = None, policy = None,
        description = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "the fields of the dataclass of this name")]
    fn __new__(
        py: Python<'_>,
        id: &str,
        kind: &str,
        capabilities: Option<&Bound<'_, PyAny>>,
        enabled: bool,
        visibility: Option<&Bound<'_, PyAny>>,
        permissions: Option<&Bound<'_, PyAny>>,
        policy: Option<&Bound<'_, PyAny>>,
        description: Option<String>,
    ) -> PyResult<Self> {
        let id = SourceId::parse(id).or_raise(py)?;
        let Some(kind) = SourceKind::from_word(kind) else {
            let words: Vec<&str> = SourceKind::ALL.iter().map(|kind| kind.as_str()).collect();
            return Err(PyValueError::new_err(format!(
                "unknown source kind {kind:?}; expected one of {}",
                words.join(", ")
            )));
        };
        let mut source = Source::new(id, kind)
            .with_visibility(optional(visibility)?)
            .with_permissions(optional(permissions)?)
            .with_policy(optional(policy)?);
        if let Some(capabilities) = capabilities.filter(|given| !given.is_none()) {
            let Ok(buckets) = capabilities.cast::<PyCapabilityBuckets>() else {
                return Err(PyTypeError::new_err("capabilities must be CapabilityBuckets"));
            };
            source = source.with_capabilities(buckets.get().native(py)?);
        }
        if let Some(description) = description {
            source = source.with_description(description);
        }
        Ok(Self::of(if enabled { source.enabled() } else { source.disabled() }))
    }

    /// Its id.
    #[getter]
    fn id(&self) -> &str {
        self.source.id().as_str()
    }

    /// Where it comes from.
    #[getter]
    fn kind(&self) -> &'static str {
        self.source.kind().as_str()
    }

    /// Whether it takes part at all.
    #[getter]
    fn enabled(&self) -> bool {
        self.source.is_enabled()
    }

    /// What it is.
    #[getter]
    fn description(&self) -> Option<&str> {
        self.source.description().map(AsRef::as_ref)
    }

    /// Which surfaces show it.
    #[getter]
    fn visibility<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        show(py, self.source.visibility())
    }

    /// What its capabilities may do.
    #[getter]
    fn permissions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        show(py, self.source.permissions())
    }

    /// How deployments refer to it.
    #[getter]
    fn policy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        show(py, self.source.policy())
    }

    /// What it owns.
    #[getter]
    fn capabilities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapabilityBuckets>> {
        let buckets = self
            .buckets
            .get_or_try_init(py, || PyCapabilityBuckets::sealed(py, self.source.capabilities()).map(Bound::unbind))?;
        Ok(buckets.bind(py).clone())
    }

    /// Its status: flags, counts and a preview of names.
    fn as_status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        show(py, SourceStatus::of(&self.source))
    }

    /// Its status and every contract; never an executable object.
    fn as_inventory<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        show(py, SourceInventory::of(&self.source))
    }

    /// A copy with some fields changed.
    #[pyo3(signature = (**changes))]
    fn replace<'py>(slf: &Bound<'py, Self>, changes: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        let fields = PyDict::new(slf.py());
        for name in ["id", "kind", "enabled", "visibility", "permissions", "policy", "description"] {
            fields.set_item(name, slf.getattr(name)?)?;
        }
        fields.set_item("capabilities", slf.getattr("capabilities")?)?;
        if let Some(changes) = changes {
            fields.update(changes.as_mapping())?;
        }
        slf.get_type().call((), Some(&fields))
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
        let (mine, theirs) = (slf.get(), other.get());
        let flags = |source: &Source| {
            (
                source.id().clone(),
                source.kind(),
                source.is_enabled(),
                source.visibility(),
                source.permissions(),
                source.policy(),
                source.description().cloned(),
            )
        };
        let same_buckets = Arc::ptr_eq(mine.source.capabilities(), theirs.source.capabilities());
        let equal = flags(&mine.source) == flags(&theirs.source)
            && (same_buckets || mine.capabilities(py)?.eq(theirs.capabilities(py)?)?);
        Ok(equal.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    fn __repr__(&self) -> String {
        let status = SourceStatus::of(&self.source);
        format!(
            "CapabilitySource(id={:?}, kind={:?}, enabled={}, tools={}, node_specs={}, reducers={}, prompts={}, resources={})",
            self.id(),
            self.kind(),
            if self.enabled() { "True" } else { "False" },
            status.tool_count,
            status.node_spec_count,
            status.reducer_count,
            status.prompt_count,
            status.resource_count,
        )
    }
}

/// The source that was given; anything else is a type error.
pub(super) fn source_of(given: &Bound<'_, PyAny>) -> PyResult<Source> {
    if let Ok(source) = given.cast::<PyCapabilitySource>() {
        return Ok(source.get().source.clone());
    }
    Err(PyTypeError::new_err(format!("expected a CapabilitySource, got {}", given.get_type().name()?)))
}

/// The id that was given.
pub(super) fn id_of(py: Python<'_>, id: &str) -> PyResult<SourceId> {
    SourceId::parse(id).map_err(|error| platform_error(py, &error))
}
