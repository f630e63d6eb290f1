//! Artifacts and what makes them.

use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use wf_core::document::{Document, WorkflowRef};
use wf_core::value::{Object, Value};
use wf_platform::artifact::{
    ArtifactDraft, ArtifactKind, RequiredCapability, WorkflowArtifact, WorkflowArtifactCatalogEntry,
    WorkflowCapabilityRef, create_artifact_from_plan, logical_ref_for_concrete_ref, normalize_plan_node_refs,
};
use wf_platform::capability::NodeContract;
use wf_platform::contracts::{ContractCatalog, ObservedContracts};
use wf_platform::deployment::{DependencyDiagnostic, SourceBinding};

use super::classes::{positional_class, shaped_class};
use super::contracts::node_contract;
use super::error::{OrRaise, platform_error};
use super::registry::PySourceRegistry;
use super::snapshot::PySourceSnapshot;
use super::source::document_of;
use crate::convert::{Instances, object_to_python, to_value};
use crate::document::{data, register_class, show};
use crate::document_class;

document_class! {
    /// A capability that a workflow needs, as it was when the workflow was saved.
    class PyRequiredCapability("RequiredCapability", "wf_platform.artifacts") of RequiredCapability {
        fields: [
            reference: "ref", kind, input_schema_hash, input_schema_snapshot, output_schema_hash,
            output_schema_snapshot, observed_concrete_source, observed_at_epoch_ms,
        ],
        methods: {
            /// The logical source.
            #[getter]
            fn logical_source(slf: &Bound<'_, Self>) -> PyResult<String> {
                Ok(data::<RequiredCapability>(slf.as_super())?.logical_source().to_string())
            }

            /// The name within the source.
            #[getter]
            fn capability_name(slf: &Bound<'_, Self>) -> PyResult<String> {
                Ok(data::<RequiredCapability>(slf.as_super())?.capability_name().to_string())
            }

            /// The capability as a reference.
            fn capability_ref<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                slf.getattr("ref")
            }
        },
    }
}

shaped_class! {
    /// A saved workflow: immutable once saved under its id and version.
    class PyWorkflowArtifact("WorkflowArtifact", "wf_platform.artifacts") of WorkflowArtifact {
        tuples: [outcomes = "outcomes"],
        fields: [
            id, version, title, kind, description, input_schema, output_schema, plan, required_capabilities,
            workflow_dependencies, created_from_catalog_version,
        ],
        methods: {

            /// The requirements by display ref.
            fn required_capability_map<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
                let py = slf.py();
                let map = PyDict::new(py);
                for requirement in &data::<WorkflowArtifact>(slf.as_super())?.required_capabilities {
                    map.set_item(&*requirement.display(), show(py, requirement.clone())?)?;
                }
                Ok(map)
            }
        },
    }
}

positional_class! {
    /// A saved workflow as a capability: `workflow.<id>.v<n>`.
    class PyWorkflowCapabilityRef("WorkflowCapabilityRef", "wf_platform.artifacts") of WorkflowCapabilityRef {
        fields: [artifact_id, version],
        methods: {
            /// Reads `workflow.<id>.v<n>`.
            #[staticmethod]
            #[pyo3(signature = (raw, /))]
            fn parse<'py>(py: Python<'py>, raw: &str) -> PyResult<Bound<'py, PyAny>> {
                show(py, WorkflowCapabilityRef::from_text(raw).or_raise(py)?)
            }

            fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
                Ok(data::<WorkflowCapabilityRef>(slf.as_super())?.to_string())
            }
        },
    }
}

shaped_class! {
    /// An artifact as it appears in listings, without its plan.
    class PyWorkflowArtifactCatalogEntry("WorkflowArtifactCatalogEntry", "wf_platform.artifacts") of WorkflowArtifactCatalogEntry {
        tuples: [outcomes = "outcomes"],
        fields: [
            name, artifact_id, version, kind, display_name, description, input_schema, output_schema,
            required_sources, diagnostics,
        ],
    }
}

/// Where the contracts behind a plan's names are looked up.
enum Contracts {
    Sources(Arc<super::snapshot::Snapshot>),
    Observed(ObservedContracts),
}

impl Contracts {
    /// A registry or snapshot, a mapping from name to contract, or several contracts.
    fn of(given: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(given) = given else { return Ok(Self::Observed(ObservedContracts::default())) };
        if let Ok(registry) = given.cast::<PySourceRegistry>() {
            return Ok(Self::Sources(registry.get().0.snapshot()));
        }
        if let Ok(snapshot) = given.cast::<PySourceSnapshot>() {
            return Ok(Self::Sources(Arc::clone(&snapshot.get().0)));
        }
        let mut observed: Vec<NodeContract> = Vec::new();
        if given.hasattr("items")? {
            for item in given.call_method0("items")?.try_iter()? {
                let (name, contract) = item?.extract::<(String, Bound<'_, PyAny>)>()?;
                observed.push(node_contract(&name, &contract)?);
            }
        } else {
            for contract in given.try_iter()? {
                let contract = contract?;
                let name = contract.getattr("name")?.extract::<String>()?;
                observed.push(node_contract(&name, &contract)?);
            }
        }
        Ok(Self::Observed(observed.into_iter().collect()))
    }

    fn as_catalog(&self) -> &dyn ContractCatalog {
        match self {
            Self::Sources(snapshot) => &**snapshot,
            Self::Observed(observed) => observed,
        }
    }
}

/// The bindings of a mapping from logical to concrete sources, or of several `SourceBinding`s.
pub(super) fn bindings_of(given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<SourceBinding>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    if !given.hasattr("items")? {
        return given.try_iter()?.map(|binding| document_of(&binding?)).collect();
    }
    let mut bindings = Vec::new();
    for item in given.call_method0("items")?.try_iter()? {
        let (logical, concrete) = item?.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        let fields = PyDict::new(given.py());
        fields.set_item("logical_source", logical.str()?)?;
        fields.set_item("concrete_source", concrete.str()?)?;
        bindings.push(document_of(&fields.into_any())?);
    }
    Ok(bindings)
}

/// A plan as plain JSON, without node contracts.
fn plan_of(given: &Bound<'_, PyAny>) -> PyResult<Object> {
    let py = given.py();
    let value = to_value(given, Instances::Dump).map_err(|error| error.into_exception(py, Some("plan")))?;
    let Value::Object(mut plan) = value else {
        return Err(PyTypeError::new_err(format!("a plan must be an object, got {}", given.get_type().name()?)));
    };
    plan.remove("node_defs");
    Ok(plan)
}

fn requirements_of(given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<RequiredCapability>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let listed = if given.hasattr("values")? { given.call_method0("values")? } else { given.clone() };
    listed.try_iter()?.map(|requirement| document_of(&requirement?)).collect()
}

/// Makes an artifact of a plan: names become logical, the structure is checked, and what it needs is noted.
#[pyfunction]
#[pyo3(signature = (
    *, artifact_id, version, title, plan, outcomes, kind = "workflow", description = None,
    required_capabilities = None, source_bindings = None, observed_node_specs = None,
    created_from_catalog_version = None, artifacts = None, observed_at_epoch_ms = None
))]
#[expect(clippy::too_many_arguments, reason = "the keywords of the function of this name")]
fn create_workflow_artifact_from_plan<'py>(
    py: Python<'py>,
    artifact_id: &str,
    version: u32,
    title: &str,
    plan: &Bound<'py, PyAny>,
    outcomes: Vec<String>,
    kind: &str,
    description: Option<String>,
    required_capabilities: Option<&Bound<'py, PyAny>>,
    source_bindings: Option<&Bound<'py, PyAny>>,
    observed_node_specs: Option<&Bound<'py, PyAny>>,
    created_from_catalog_version: Option<&Bound<'py, PyAny>>,
    artifacts: Option<&Bound<'py, PyAny>>,
    observed_at_epoch_ms: Option<u64>,
) -> PyResult<Bound<'py, PyAny>> {
    let catalog_version = match created_from_catalog_version {
        None => Value::Null,
        Some(given) => to_value(given, Instances::Dump).map_err(|error| error.into_exception(py, None))?,
    };
    let draft = ArtifactDraft {
        artifact_id: artifact_id.into(),
        version,
        title: title.into(),
        kind: ArtifactKind::from_word(kind).ok_or_else(|| {
            PyValueError::new_err(format!("unknown artifact kind {kind:?}; expected workflow or wrapper"))
        })?,
        description: description.map(Into::into),
        plan: plan_of(plan)?,
        outcomes: outcomes.into_iter().map(Into::into).collect(),
        required_capabilities: requirements_of(required_capabilities)?,
        source_bindings: bindings_of(source_bindings)?,
        created_from_catalog_version: catalog_version,
        observed_at_epoch_ms,
    };
    let mut saved: Vec<Arc<WorkflowArtifact>> = Vec::new();
    if let Some(artifacts) = artifacts {
        for artifact in artifacts.try_iter()? {
            saved.push(Arc::new(document_of(&artifact?)?));
        }
    }
    let children = |reference: &WorkflowCapabilityRef| saved.iter().find(|one| one.reference() == *reference).cloned();
    let contracts = Contracts::of(observed_node_specs)?;
    let artifact = create_artifact_from_plan(&draft, contracts.as_catalog(), &children).or_raise(py)?;
    // The draft did not go through the document's own rules; a version of 0 and the like are refused here.
    let artifact =
        WorkflowArtifact::parse(&artifact.dump()).map_err(|error| crate::document::document_error(py, &error))?;
    show(py, artifact)
}

/// A plan whose concrete names have become logical, and what those names need.
#[pyfunction]
#[pyo3(name = "normalize_plan_node_refs", signature = (plan, source_bindings, observed_node_specs = None))]
fn normalized<'py>(
    py: Python<'py>,
    plan: &Bound<'py, PyAny>,
    source_bindings: &Bound<'py, PyAny>,
    observed_node_specs: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyDict>, Vec<Bound<'py, PyAny>>)> {
    let contracts = Contracts::of(observed_node_specs)?;
    let bindings = bindings_of(Some(source_bindings))?;
    let normalized = normalize_plan_node_refs(&plan_of(plan)?, &bindings, contracts.as_catalog());
    let requirements = normalized.requirements.into_iter().map(|one| show(py, one)).collect::<PyResult<_>>()?;
    Ok((object_to_python(py, &normalized.plan)?, requirements))
}

/// The logical name, logical source, name within it and concrete source of a concrete name; `None` if none is bound.
#[pyfunction]
#[pyo3(name = "logical_ref_for_concrete_ref", signature = (concrete_ref, source_bindings))]
fn logical_ref(
    concrete_ref: &Bound<'_, PyAny>,
    source_bindings: &Bound<'_, PyAny>,
) -> PyResult<Option<(String, String, String, String)>> {
    let name = concrete_ref.str()?;
    let bindings = bindings_of(Some(source_bindings))?;
    Ok(logical_ref_for_concrete_ref(name.to_str()?, &bindings).map(|found| {
        let parts = [found.logical_ref, found.logical_source, found.capability_name, found.concrete_source];
        let [a, b, c, d] = parts.map(|part| part.to_string());
        (a, b, c, d)
    }))
}

/// The name under which a saved workflow appears among capabilities.
#[pyfunction]
#[pyo3(name = "artifact_node_name", signature = (artifact, /))]
fn node_name(artifact: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(document_of::<WorkflowArtifact>(artifact)?.reference().to_string())
}

/// An artifact as it appears in listings.
#[pyfunction]
#[pyo3(signature = (artifact, *, diagnostics = None))]
fn artifact_catalog_entry<'py>(
    artifact: &Bound<'py, PyAny>,
    diagnostics: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut found: Vec<DependencyDiagnostic> = Vec::new();
    if let Some(diagnostics) = diagnostics {
        for diagnostic in diagnostics.try_iter()? {
            found.push(document_of(&diagnostic?)?);
        }
    }
    show(artifact.py(), WorkflowArtifactCatalogEntry::of(&document_of(artifact)?, found))
}

/// The workflow ref of an artifact.
#[pyfunction]
#[pyo3(signature = (artifact, /))]
fn workflow_ref_from_artifact<'py>(artifact: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    show(artifact.py(), document_of::<WorkflowArtifact>(artifact)?.reference().to_workflow_ref())
}

/// The workflow ref that a capability ref means.
#[pyfunction]
#[pyo3(signature = (reference, /))]
fn workflow_ref_from_capability<'py>(reference: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    show(reference.py(), capability_ref_of(reference)?.to_workflow_ref())
}

/// The capability ref that a workflow ref means.
#[pyfunction]
#[pyo3(signature = (reference, /))]
fn workflow_capability_ref_from_workflow_ref<'py>(reference: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = reference.py();
    let reference: WorkflowRef = document_of(reference)?;
    show(py, WorkflowCapabilityRef::from_workflow_ref(&reference).or_raise(py)?)
}

fn capability_ref_of(given: &Bound<'_, PyAny>) -> PyResult<WorkflowCapabilityRef> {
    match given.cast::<PyString>() {
        Ok(text) => {
            WorkflowCapabilityRef::from_text(text.to_str()?).map_err(|error| platform_error(given.py(), &error))
        }
        Err(_) => document_of(given),
    }
}

/// Registers the classes and functions of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PyRequiredCapability>(module, PyRequiredCapability::INFO)?;
    register_class::<PyWorkflowArtifact>(module, PyWorkflowArtifact::INFO)?;
    register_class::<PyWorkflowCapabilityRef>(module, PyWorkflowCapabilityRef::INFO)?;
    register_class::<PyWorkflowArtifactCatalogEntry>(module, PyWorkflowArtifactCatalogEntry::INFO)?;
    module.add_function(wrap_pyfunction!(create_workflow_artifact_from_plan, module)?)?;
    module.add_function(wrap_pyfunction!(normalized, module)?)?;
    module.add_function(wrap_pyfunction!(logical_ref, module)?)?;
    module.add_function(wrap_pyfunction!(node_name, module)?)?;
    module.add_function(wrap_pyfunction!(artifact_catalog_entry, module)?)?;
    module.add_function(wrap_pyfunction!(workflow_ref_from_artifact, module)?)?;
    module.add_function(wrap_pyfunction!(workflow_ref_from_capability, module)?)?;
    module.add_function(wrap_pyfunction!(workflow_capability_ref_from_workflow_ref, module)?)
}
