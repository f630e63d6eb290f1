//! The saved workflows that an artifact runs, and those that they run.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;
use wf_core::document::{Document, Workflow, WorkflowRef};
use wf_core::value::Value;

use crate::deployment::{
    DependencyDiagnostic, DiagnosticSeverity, SourceCatalog, WorkflowDeployment, validate_deployment_dependencies,
};

use super::{WorkflowArtifact, WorkflowCapabilityRef, plan_names};

/// All saved workflows below an artifact, each once, in the order in which they are first met.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedSubgraphTree {
    artifacts: IndexMap<WorkflowCapabilityRef, Arc<WorkflowArtifact>>,
    diagnostics: Vec<DependencyDiagnostic>,
}

/// A workflow on the way down: its own ref (the root may have one, too) and the children that are still to be seen.
struct Visit {
    reference: WorkflowCapabilityRef,
    children: std::vec::IntoIter<WorkflowRef>,
}

impl Visit {
    fn of(artifact: &WorkflowArtifact) -> Self {
        Self { reference: artifact.reference(), children: children_of(artifact).into_iter() }
    }
}

impl SavedSubgraphTree {
    /// Follows every subgraph step, depth first; cycles and missing artifacts become diagnostics.
    pub fn resolve(
        root: &WorkflowArtifact,
        lookup: &mut dyn FnMut(&WorkflowCapabilityRef) -> Option<Arc<WorkflowArtifact>>,
    ) -> Self {
        let mut tree = Self::default();
        let mut missing: BTreeSet<String> = BTreeSet::new();
        let mut path = vec![Visit::of(root)];
        while let Some(visit) = path.last_mut() {
            let parent = visit.reference.clone();
            let Some(child) = visit.children.next() else {
                path.pop();
                continue;
            };
            let Ok(reference) = WorkflowCapabilityRef::from_workflow_ref(&child) else {
                if missing.insert(child.to_string()) {
                    tree.diagnostics.push(named_child(&parent, &child));
                }
                continue;
            };
            if path.iter().any(|visit| visit.reference == reference) {
                tree.diagnostics.push(cycle(&path, &reference));
            } else if tree.artifacts.contains_key(&reference) {
                // Seen below another parent already.
            } else if let Some(artifact) = lookup(&reference) {
                path.push(Visit::of(&artifact));
                tree.artifacts.insert(reference, artifact);
            } else if missing.insert(reference.to_string()) {
                tree.diagnostics.push(missing_child(&parent, &reference));
            }
        }
        tree
    }

    /// A tree of artifacts that were kept together, such as those of a pinned run.
    pub fn of_snapshots(artifacts: impl IntoIterator<Item = Arc<WorkflowArtifact>>) -> Self {
        let artifacts = artifacts.into_iter().map(|artifact| (artifact.reference(), artifact)).collect();
        Self { artifacts, diagnostics: Vec::new() }
    }

    /// The artifacts by ref.
    pub fn artifacts(&self) -> impl ExactSizeIterator<Item = (&WorkflowCapabilityRef, &Arc<WorkflowArtifact>)> {
        self.artifacts.iter()
    }

    /// The artifact of that ref.
    pub fn get(&self, reference: &WorkflowCapabilityRef) -> Option<&Arc<WorkflowArtifact>> {
        self.artifacts.get(reference)
    }

    /// Cycles and missing artifacts.
    pub fn diagnostics(&self) -> &[DependencyDiagnostic] {
        &self.diagnostics
    }

    /// The tree's own diagnostics, then those of every artifact in it under the same deployment.
    pub fn validate<C: SourceCatalog + ?Sized>(
        &self,
        deployment: &WorkflowDeployment,
        catalog: &C,
    ) -> Vec<DependencyDiagnostic> {
        let mut diagnostics = self.diagnostics.clone();
        for artifact in self.artifacts.values() {
            for diagnostic in validate_deployment_dependencies(artifact, deployment, catalog) {
                // Bindings are the same for all of them.
                if !diagnostics.contains(&diagnostic) {
                    diagnostics.push(diagnostic);
                }
            }
        }
        diagnostics
    }
}

/// The workflows that an artifact's steps run; a plan that is no workflow runs none.
fn children_of(artifact: &WorkflowArtifact) -> Vec<WorkflowRef> {
    Workflow::parse(&Value::Object(artifact.plan.clone()))
        .map_or_else(|_| Vec::new(), |workflow| plan_names(&workflow).children)
}

fn error(code: &str, reference: &str, message: String, hint: &str) -> DependencyDiagnostic {
    DependencyDiagnostic {
        severity: DiagnosticSeverity::Error,
        code: code.into(),
        logical_ref: reference.into(),
        bound_source: None,
        message: message.into(),
        repair_hint: Some(hint.into()),
    }
}

fn missing_child(parent: &WorkflowCapabilityRef, child: &WorkflowCapabilityRef) -> DependencyDiagnostic {
    let message = format!("`{parent}` runs `{child}`, which is not saved");
    error(
        "workflow_dependency_missing",
        &child.to_string(),
        message,
        "save the child workflow under this id and version",
    )
}

fn named_child(parent: &WorkflowCapabilityRef, child: &WorkflowRef) -> DependencyDiagnostic {
    let message = format!("`{parent}` runs the workflow `{child}` by name, and only saved workflows can be found");
    let hint = "save the child workflow and refer to it by artifact id and version";
    error("workflow_dependency_missing", &child.to_string(), message, hint)
}

fn cycle(path: &[Visit], reference: &WorkflowCapabilityRef) -> DependencyDiagnostic {
    let start = path.iter().position(|visit| visit.reference == *reference).unwrap_or_default();
    let round: Vec<String> = path[start..].iter().map(|visit| format!("`{}`", visit.reference)).collect();
    let message = format!("workflows run each other in a circle: {} runs `{reference}`", round.join(" runs "));
    error(
        "workflow_dependency_cycle",
        &reference.to_string(),
        message,
        "let one of them end instead of running the other",
    )
}
