//! Whether a deployment's sources have what its artifact needs.

use std::sync::Arc;

use crate::artifact::{RequiredCapability, SchemaEvidence, WorkflowArtifact};
use crate::capability::{CapabilityKind, SchemaSide};
use crate::nearest::nearest;
use crate::schema_diff::describe_drift;

use super::available::{CapabilityFacts, fits};
use super::{
    DependencyDiagnostic, DiagnosticSeverity, DriftPolicy, Resolution, SourceBinding, SourceCatalog,
    WorkflowDeployment, resolve,
};

/// Everything that is wrong, bindings first, then requirements in their order; at most one problem of each.
///
/// Child workflows are checked on their own, under the same deployment.
pub fn validate_deployment_dependencies<C: SourceCatalog + ?Sized>(
    artifact: &WorkflowArtifact,
    deployment: &WorkflowDeployment,
    catalog: &C,
) -> Vec<DependencyDiagnostic> {
    let bindings = deployment.bindings.iter().filter_map(|binding| forbidden_binding(binding, catalog));
    let requirements = artifact
        .required_capabilities
        .iter()
        .filter(|requirement| requirement.kind != CapabilityKind::Workflow)
        .filter_map(|requirement| unmet(requirement, deployment, catalog));
    bindings.chain(requirements).collect()
}

fn forbidden_binding<C: SourceCatalog + ?Sized>(binding: &SourceBinding, catalog: &C) -> Option<DependencyDiagnostic> {
    let platform = catalog.source(&binding.logical_source).is_some_and(|facts| facts.policy.platform());
    if !platform || binding.logical_source == binding.concrete_source {
        return None;
    }
    Some(DependencyDiagnostic {
        severity: DiagnosticSeverity::Error,
        code: "platform_binding_forbidden".into(),
        logical_ref: Arc::clone(&binding.logical_source),
        bound_source: Some(Arc::clone(&binding.concrete_source)),
        message: format!(
            "platform source `{}` cannot be bound to `{}`",
            binding.logical_source, binding.concrete_source
        )
        .into(),
        repair_hint: Some(format!("remove the binding of `{}`", binding.logical_source).into()),
    })
}

fn unmet<C: SourceCatalog + ?Sized>(
    requirement: &RequiredCapability,
    deployment: &WorkflowDeployment,
    catalog: &C,
) -> Option<DependencyDiagnostic> {
    let logical_ref = requirement.display();
    let error = |code: &str, bound_source: Option<&Arc<str>>, message: String, hint: String| DependencyDiagnostic {
        severity: DiagnosticSeverity::Error,
        code: code.into(),
        logical_ref: Arc::clone(&logical_ref),
        bound_source: bound_source.cloned(),
        message: message.into(),
        repair_hint: Some(hint.into()),
    };
    let (source_id, local_name) = match resolve(&requirement.capability, deployment, catalog) {
        Resolution::Source { source_id, local_name } => (source_id, local_name),
        Resolution::Unbound { logical_source } => {
            let message = format!("logical source `{logical_source}` of `{logical_ref}` is not bound");
            return Some(error("binding_missing", None, message, binding_hint(&logical_source, requirement, catalog)));
        }
    };
    let bound = Some(&source_id);
    let Some(source) = catalog.source(&source_id) else {
        let message = format!("source `{source_id}`, which `{logical_ref}` is bound to, does not exist");
        return Some(error("source_missing", bound, message, missing_source_hint(&source_id, catalog)));
    };
    if !source.enabled {
        let message = format!("source `{source_id}`, which `{logical_ref}` is bound to, is disabled");
        return Some(error("source_disabled", bound, message, format!("enable source `{source_id}`")));
    }
    let found = catalog.capability(&source_id, &local_name, requirement.kind);
    let Some(found) = found.filter(|found| fits(requirement.kind, found.kind)) else {
        let message = format!("source `{source_id}` has no {} `{local_name}`", requirement.kind);
        let hint = missing_capability_hint(requirement, &source_id, &local_name, catalog);
        return Some(error("capability_missing", bound, message, hint));
    };
    if let Some(refusal) = &found.refusal {
        let hint = refusal.hint().unwrap_or_else(|| format!("look at the policy of source `{source_id}`"));
        return Some(error("capability_not_allowed", bound, refusal.to_string(), hint));
    }
    drift(requirement, deployment, &source_id, &found)
}

fn drift(
    requirement: &RequiredCapability,
    deployment: &WorkflowDeployment,
    source_id: &Arc<str>,
    found: &CapabilityFacts,
) -> Option<DependencyDiagnostic> {
    let severity = match deployment.drift_policy {
        DriftPolicy::Block => DiagnosticSeverity::Error,
        DriftPolicy::Warn => DiagnosticSeverity::Warning,
        DriftPolicy::Allow => return None,
    };
    let changed: Vec<(SchemaSide, SchemaEvidence)> = SchemaSide::ALL
        .into_iter()
        .map(|side| (side, requirement.recorded(side)))
        .filter(|(side, recorded)| recorded.differs_from(found.evidence(*side)) == Some(true))
        .collect();
    if changed.is_empty() {
        return None;
    }
    let what: Vec<String> = changed
        .iter()
        .map(|(side, recorded)| {
            let details = match (&recorded.schema, &found.evidence(*side).schema) {
                (Some(before), Some(after)) => describe_drift(before, after),
                _ => String::new(),
            };
            format!("{} schema{}{details}", side.as_str(), if details.is_empty() { "" } else { ": " })
        })
        .collect();
    Some(DependencyDiagnostic {
        severity,
        code: "schema_changed".into(),
        logical_ref: requirement.display(),
        bound_source: Some(Arc::clone(source_id)),
        message: format!(
            "the contract of `{}` has changed since the workflow was saved ({})",
            requirement.display(),
            what.join("; ")
        )
        .into(),
        repair_hint: Some(
            "save a new version of the artifact against the present contract, or set drift_policy to `allow`".into(),
        ),
    })
}

/// Bindings that no requirement uses and that cannot work: warnings, since a resource ref may use them at run time.
pub fn unused_binding_diagnostics<C: SourceCatalog + ?Sized>(
    artifacts: &[&WorkflowArtifact],
    deployment: &WorkflowDeployment,
    catalog: &C,
) -> Vec<DependencyDiagnostic> {
    let used = |source_id: &str| {
        artifacts.iter().flat_map(|artifact| &artifact.required_capabilities).any(|requirement| {
            matches!(resolve(&requirement.capability, deployment, catalog),
                Resolution::Source { source_id: used, .. } if *used == *source_id)
        })
    };
    let warning = |binding: &SourceBinding, code: &str, state: &str, hint: String| DependencyDiagnostic {
        severity: DiagnosticSeverity::Warning,
        code: code.into(),
        logical_ref: Arc::clone(&binding.logical_source),
        bound_source: Some(Arc::clone(&binding.concrete_source)),
        message: format!(
            "source `{}`, which `{}` is bound to, {state}",
            binding.concrete_source, binding.logical_source
        )
        .into(),
        repair_hint: Some(hint.into()),
    };
    deployment
        .bindings
        .iter()
        .filter(|binding| !used(&binding.concrete_source))
        .filter_map(|binding| match catalog.source(&binding.concrete_source) {
            None => {
                let hint = missing_source_hint(&binding.concrete_source, catalog);
                Some(warning(binding, "source_missing", "does not exist", hint))
            }
            Some(facts) if !facts.enabled => {
                let hint = format!("enable source `{}`", binding.concrete_source);
                Some(warning(binding, "source_disabled", "is disabled", hint))
            }
            Some(_) => None,
        })
        .collect()
}

fn binding_hint<C: SourceCatalog + ?Sized>(
    logical_source: &str,
    requirement: &RequiredCapability,
    catalog: &C,
) -> String {
    let known = |id: &str| catalog.source(id).is_some();
    let candidate = Some(logical_source)
        .filter(|id| known(id))
        .or(requirement.observed_concrete_source.as_deref().filter(|id| known(id)));
    match candidate {
        Some(id) => format!("bind `{logical_source}`, for example to `{id}`"),
        None => format!("bind `{logical_source}` to a source that has `{}`", requirement.capability.name),
    }
}

fn missing_source_hint<C: SourceCatalog + ?Sized>(source_id: &str, catalog: &C) -> String {
    let ids = catalog.source_ids();
    match nearest(source_id, ids.iter().map(AsRef::as_ref)).first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("add source `{source_id}`, or bind another one"),
    }
}

fn missing_capability_hint<C: SourceCatalog + ?Sized>(
    requirement: &RequiredCapability,
    source_id: &str,
    local_name: &str,
    catalog: &C,
) -> String {
    if let Some(other) = catalog.capability(source_id, local_name, requirement.kind) {
        return format!("`{local_name}` of `{source_id}` is a {}", other.kind);
    }
    let names = catalog.local_names(source_id);
    match nearest(local_name, names.iter().map(AsRef::as_ref)).first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("refresh source `{source_id}`, or bind a source that has `{local_name}`"),
    }
}
