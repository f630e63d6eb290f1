//! Saving, listing and validating deployments.

use std::sync::Arc;

use wf_core::document::Document as _;
use wf_core::value::{Object, Value};
use wf_platform::artifact::{SavedSubgraphTree, WorkflowArtifact};
use wf_platform::deployment::{
    DependencyDiagnostic, DiagnosticSeverity, WorkflowDeployment, is_runnable, unused_binding_diagnostics,
    validate_deployment_dependencies,
};
use wf_platform::guidance::NextActions;
use wf_platform::registry::Snapshot;

use super::prepare::{Prepared, prepare};
use super::{Application, OperationResult, count};
use crate::error::ApiError;
use crate::store::{DeploymentRecord, IdField, StoreError, check_id};

/// A deployment with everything that it runs, and what is wrong with it.
#[derive(Debug)]
pub(super) struct Validation<H> {
    pub(super) deployment: WorkflowDeployment,
    pub(super) artifact: WorkflowArtifact,
    pub(super) tree: SavedSubgraphTree,
    pub(super) diagnostics: Vec<DependencyDiagnostic>,
    /// What runs; `None` when an error stands among the diagnostics.
    pub(super) prepared: Option<Prepared<H>>,
}

impl<H: Clone> Application<H> {
    /// All deployments, by id.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn list_deployments(&self) -> OperationResult {
        let rows = self
            .store
            .deployments()?
            .iter()
            .map(|record| {
                let deployment = parse(record)?;
                let mut row = Object::with_capacity(5);
                row.insert("id", deployment.id);
                row.insert("artifact_id", deployment.artifact_id);
                row.insert("artifact_version", Value::from(deployment.artifact_version));
                row.insert("binding_count", count(deployment.bindings.len() as u64));
                row.insert("drift_policy", deployment.drift_policy.as_str());
                Ok(Value::Object(row))
            })
            .collect::<Result<Vec<_>, ApiError>>()?;
        Ok([("deployments", rows)].into_iter().collect())
    }

    /// The whole deployment.
    ///
    /// # Errors
    /// When it is not there.
    pub fn inspect_deployment(&self, deployment_id: &str) -> OperationResult {
        Ok(self.deployment(deployment_id)?.dump().as_object().cloned().unwrap_or_default())
    }

    /// Saves a deployment document in the place of one of the same id. Its artifact may come later.
    ///
    /// # Errors
    /// A document that is not valid.
    pub fn save_deployment(&self, document: &Value) -> OperationResult {
        let deployment = WorkflowDeployment::parse(document)?;
        check_id(IdField::Deployment, &deployment.id)?;
        self.store.save_deployment(DeploymentRecord {
            deployment_id: Arc::clone(&deployment.id),
            artifact_id: Arc::clone(&deployment.artifact_id),
            artifact_version: deployment.artifact_version,
            document: deployment.dump(),
            updated_at: self.clock.now(),
        })?;
        let mut result = Object::with_capacity(4);
        result.insert("deployment_id", Arc::clone(&deployment.id));
        result.insert("artifact_id", Arc::clone(&deployment.artifact_id));
        result.insert("artifact_version", Value::from(deployment.artifact_version));
        self.record_event("workflow_deployment_saved", Some(&format!("deployment.{}", deployment.id)), result.clone())?;
        result.insert("saved", true);
        Ok(result)
    }

    /// Deletes a deployment; its runs keep their own copy.
    ///
    /// # Errors
    /// When it is not there.
    pub fn delete_deployment(&self, deployment_id: &str) -> OperationResult {
        self.store.delete_deployment(deployment_id)?;
        let mut result: Object = [("deployment_id", deployment_id)].into_iter().collect();
        let id = format!("deployment.{deployment_id}");
        self.record_event("workflow_deployment_deleted", Some(&id), result.clone())?;
        result.insert("deleted", true);
        Ok(result)
    }

    /// Whether a deployment would run now, and what is wrong with it. `further` are diagnostics that others found.
    ///
    /// # Errors
    /// When the deployment is not there.
    pub fn validate_deployment(&self, deployment_id: &str, further: &[DependencyDiagnostic]) -> OperationResult {
        let (deployment, mut diagnostics) = match self.validation(deployment_id) {
            Ok(Validation { deployment, diagnostics, .. }) => (deployment, diagnostics),
            Err(ApiError::Store(StoreError::ArtifactUnknown { .. })) => {
                let deployment = self.deployment(deployment_id)?;
                let diagnostics = vec![artifact_missing(&deployment)];
                (deployment, diagnostics)
            }
            Err(error) => return Err(error),
        };
        diagnostics.extend_from_slice(further);
        let status = if is_runnable(&diagnostics) { "runnable" } else { "unrunnable" };
        let next_actions = NextActions::from_deployment_validation(deployment_id, &diagnostics);
        let mut result = Object::with_capacity(6);
        result.insert("deployment_id", deployment.id);
        result.insert("artifact_id", deployment.artifact_id);
        result.insert("artifact_version", Value::from(deployment.artifact_version));
        result.insert("status", status);
        result.insert("diagnostics", dumped(&diagnostics));
        result.insert("next_actions", next_actions.dump());
        Ok(result)
    }

    /// The same, in parts: what was validated is what runs.
    pub(super) fn validation(&self, deployment_id: &str) -> Result<Validation<H>, ApiError> {
        self.validation_of(&self.store.deployment(deployment_id)?, &self.registry.snapshot())
    }

    pub(super) fn validation_of(
        &self,
        record: &DeploymentRecord,
        snapshot: &Snapshot<H>,
    ) -> Result<Validation<H>, ApiError> {
        let deployment = parse(record)?;
        let artifact = self.artifact(&deployment.artifact_id, deployment.artifact_version)?;
        let tree = SavedSubgraphTree::resolve(&artifact, &mut |child| self.find_artifact(child));
        Ok(validate(deployment, artifact, tree, snapshot))
    }

    pub(super) fn deployment(&self, deployment_id: &str) -> Result<WorkflowDeployment, ApiError> {
        parse(&self.store.deployment(deployment_id)?)
    }
}

/// Everything that is wrong with a deployment, and what runs when nothing is.
pub(super) fn validate<H: Clone>(
    deployment: WorkflowDeployment,
    artifact: WorkflowArtifact,
    tree: SavedSubgraphTree,
    snapshot: &Snapshot<H>,
) -> Validation<H> {
    let mut diagnostics = validate_deployment_dependencies(&artifact, &deployment, snapshot);
    for diagnostic in tree.validate(&deployment, snapshot) {
        // Bindings are the same for all artifacts.
        if !diagnostics.contains(&diagnostic) {
            diagnostics.push(diagnostic);
        }
    }
    let all: Vec<&WorkflowArtifact> =
        std::iter::once(&artifact).chain(tree.artifacts().map(|(_, child)| &**child)).collect();
    diagnostics.extend(unused_binding_diagnostics(&all, &deployment, snapshot));
    let mut prepared = None;
    if is_runnable(&diagnostics) {
        match prepare(&deployment, &artifact, &tree, snapshot) {
            Ok(ready) => prepared = Some(ready),
            Err(problems) => diagnostics.extend(problems),
        }
    }
    Validation { deployment, artifact, tree, diagnostics, prepared }
}

/// A deployment may be saved before its artifact; until then it does not run.
fn artifact_missing(deployment: &WorkflowDeployment) -> DependencyDiagnostic {
    let artifact = format!("{}@{}", deployment.artifact_id, deployment.artifact_version);
    DependencyDiagnostic {
        severity: DiagnosticSeverity::Error,
        code: "artifact_missing".into(),
        message: format!("the artifact {artifact} of this deployment is not saved").into(),
        logical_ref: artifact.into(),
        bound_source: None,
        repair_hint: Some("save the artifact under this id and version, or deploy one that is saved".into()),
    }
}

fn parse(record: &DeploymentRecord) -> Result<WorkflowDeployment, ApiError> {
    WorkflowDeployment::parse(&record.document).map_err(|error| {
        let what = format!("deployment {}", record.deployment_id);
        StoreError::DocumentDamaged { what, problem: error.to_string() }.into()
    })
}

/// Diagnostics as JSON.
pub(super) fn dumped(diagnostics: &[DependencyDiagnostic]) -> Value {
    Value::from(diagnostics.iter().map(DependencyDiagnostic::dump).collect::<Vec<_>>())
}
