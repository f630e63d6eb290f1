//! Deployments and their diagnostics.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use wf_core::refs::SourceRef;
use wf_platform::artifact::WorkflowArtifact;
use wf_platform::deployment::{
    AvailableCapability, AvailableSource, DependencyDiagnostic, SourceBinding, WorkflowDeployment, is_runnable,
    unused_binding_diagnostics, validate_deployment_dependencies,
};

use super::classes::shaped_class;
use super::registry::PySourceRegistry;
use super::snapshot::PySourceSnapshot;
use super::source::{PyCapabilitySource, document_of};
use crate::document::{data, register_class, show};
use crate::document_class;

document_class! {
    /// What a logical source means.
    class PySourceBinding("SourceBinding", "wf_platform.deployments") of SourceBinding {
        fields: [logical_source, concrete_source],
        methods: {
            /// The logical source as a reference.
            fn logical_ref<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                source_ref(slf.py(), &data::<SourceBinding>(slf.as_super())?.logical_source)
            }

            /// The concrete source as a reference.
            fn concrete_ref<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                source_ref(slf.py(), &data::<SourceBinding>(slf.as_super())?.concrete_source)
            }
        },
    }
}

/// The text as a reference; it was one when the binding was read.
fn source_ref<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let source = SourceRef::parse(text).map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))?;
    show(py, source)
}

shaped_class! {
    /// An artifact and what its logical sources mean.
    class PyWorkflowDeployment("WorkflowDeployment", "wf_platform.deployments") of WorkflowDeployment {
        enums: [drift_policy = "drift_policy" in "wf_platform.deployments" as "DriftPolicy"],
        fields: [id, artifact_id, artifact_version, bindings],
        methods: {
            /// What each logical source is bound to.
            fn binding_map<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
                let map = PyDict::new(slf.py());
                for binding in &data::<WorkflowDeployment>(slf.as_super())?.bindings {
                    map.set_item(&*binding.logical_source, &*binding.concrete_source)?;
                }
                Ok(map)
            }
        },
    }
}

shaped_class! {
    /// One thing that is wrong between an artifact, its deployment and the sources.
    class PyDependencyDiagnostic("DependencyDiagnostic", "wf_platform.deployments") of DependencyDiagnostic {
        enums: [severity = "severity" in "wf_platform.deployments" as "DiagnosticSeverity"],
        fields: [code, logical_ref, bound_source, message, repair_hint],
    }
}

document_class! {
    /// A capability that can be bound.
    class PyAvailableCapability("AvailableCapability", "wf_platform.deployments") of AvailableCapability {
        fields: [name, kind, input_schema_hash, output_schema_hash, input_schema, output_schema],
    }
}

document_class! {
    /// A source that can be bound.
    class PyAvailableSource("AvailableSource", "wf_platform.deployments") of AvailableSource {
        fields: [id, enabled, platform, capabilities, binding_required],
    }
}

/// What deployments are checked against.
enum Sources {
    Registry(std::sync::Arc<super::snapshot::Snapshot>),
    Listed(Vec<AvailableSource>),
}

/// A registry or snapshot, a mapping from id to source, or several sources; each an `AvailableSource` or a
/// `CapabilitySource`.
fn sources_of(given: &Bound<'_, PyAny>) -> PyResult<Sources> {
    if let Ok(registry) = given.cast::<PySourceRegistry>() {
        return Ok(Sources::Registry(registry.get().0.snapshot()));
    }
    if let Ok(snapshot) = given.cast::<PySourceSnapshot>() {
        return Ok(Sources::Registry(std::sync::Arc::clone(&snapshot.get().0)));
    }
    let listed = if given.hasattr("values")? { given.call_method0("values")? } else { given.clone() };
    let mut sources = Vec::new();
    for source in listed.try_iter()? {
        let source = source?;
        sources.push(match source.cast::<PyCapabilitySource>() {
            Ok(source) => AvailableSource::of(source.get().source()),
            Err(_) => document_of(&source)?,
        });
    }
    Ok(Sources::Listed(sources))
}

fn shown(py: Python<'_>, diagnostics: Vec<DependencyDiagnostic>) -> PyResult<Vec<Bound<'_, PyAny>>> {
    diagnostics.into_iter().map(|diagnostic| show(py, diagnostic)).collect()
}

/// Everything that is wrong between an artifact, its deployment and the sources.
#[pyfunction]
#[pyo3(name = "validate_deployment_dependencies", signature = (*, artifact, deployment, sources))]
fn validate<'py>(
    py: Python<'py>,
    artifact: &Bound<'py, PyAny>,
    deployment: &Bound<'py, PyAny>,
    sources: &Bound<'py, PyAny>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let (artifact, deployment): (WorkflowArtifact, WorkflowDeployment) =
        (document_of(artifact)?, document_of(deployment)?);
    let found = match sources_of(sources)? {
        Sources::Registry(snapshot) => validate_deployment_dependencies(&artifact, &deployment, &*snapshot),
        Sources::Listed(sources) => validate_deployment_dependencies(&artifact, &deployment, &sources[..]),
    };
    shown(py, found)
}

/// Warnings about bindings that no requirement uses and that cannot work.
#[pyfunction]
#[pyo3(name = "unused_binding_diagnostics", signature = (*, artifact, deployment, sources))]
fn unused_bindings<'py>(
    py: Python<'py>,
    artifact: &Bound<'py, PyAny>,
    deployment: &Bound<'py, PyAny>,
    sources: &Bound<'py, PyAny>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let (artifact, deployment): (WorkflowArtifact, WorkflowDeployment) =
        (document_of(artifact)?, document_of(deployment)?);
    let found = match sources_of(sources)? {
        Sources::Registry(snapshot) => unused_binding_diagnostics(&[&artifact], &deployment, &*snapshot),
        Sources::Listed(sources) => unused_binding_diagnostics(&[&artifact], &deployment, &sources[..]),
    };
    shown(py, found)
}

/// Whether a deployment with these diagnostics runs: only errors block.
#[pyfunction]
#[pyo3(name = "is_runnable", signature = (diagnostics, /))]
fn runnable(diagnostics: &Bound<'_, PyAny>) -> PyResult<bool> {
    let diagnostics: PyResult<Vec<DependencyDiagnostic>> =
        diagnostics.try_iter()?.map(|diagnostic| document_of(&diagnostic?)).collect();
    Ok(is_runnable(&diagnostics?))
}

/// A source as deployments are checked against it.
#[pyfunction]
#[pyo3(signature = (source, /))]
fn available_source<'py>(source: &Bound<'py, PyCapabilitySource>) -> PyResult<Bound<'py, PyAny>> {
    show(source.py(), AvailableSource::of(source.get().source()))
}

/// Registers the classes and functions of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PySourceBinding>(module, PySourceBinding::INFO)?;
    register_class::<PyWorkflowDeployment>(module, PyWorkflowDeployment::INFO)?;
    register_class::<PyDependencyDiagnostic>(module, PyDependencyDiagnostic::INFO)?;
    register_class::<PyAvailableCapability>(module, PyAvailableCapability::INFO)?;
    register_class::<PyAvailableSource>(module, PyAvailableSource::INFO)?;
    module.add_function(wrap_pyfunction!(validate, module)?)?;
    module.add_function(wrap_pyfunction!(unused_bindings, module)?)?;
    module.add_function(wrap_pyfunction!(runnable, module)?)?;
    module.add_function(wrap_pyfunction!(available_source, module)?)
}
