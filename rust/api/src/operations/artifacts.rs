//! Saving, listing and deleting artifacts.

use std::sync::Arc;

use wf_core::document::Document as _;
use wf_core::value::{Object, Value};
use wf_platform::artifact::{
    ArtifactDraft, ArtifactKind, RequiredCapability, WorkflowArtifact, WorkflowArtifactCatalogEntry,
    WorkflowCapabilityRef, artifact_node_name, create_artifact_from_plan,
};
use wf_platform::listing::matches_query;
use wf_platform::page::page_range;

use super::{Application, OperationResult, count};
use crate::error::ApiError;
use crate::store::{ArtifactHead, ArtifactRecord, IdField, Saved, StoreError, check_id};

impl<H> Application<H> {
    /// The saved artifacts that a search finds, without their plans.
    ///
    /// # Errors
    /// A kind, a cursor or a limit that is none.
    pub fn list_artifacts(
        &self,
        query: Option<&str>,
        kind: Option<&str>,
        cursor: Option<&str>,
        limit: i64,
    ) -> OperationResult {
        if let Some(kind) = kind.filter(|kind| ArtifactKind::from_word(kind).is_none()) {
            return Err(ApiError::ArtifactKind { got: kind.to_owned() });
        }
        let mut heads = self.store.artifact_heads()?;
        heads.retain(|head| kind.is_none_or(|kind| *head.kind == *kind) && found(head, query));
        let (range, next_cursor) = page_range(heads.len(), cursor, limit)?;
        let nodes = heads[range]
            .iter()
            .map(|head| {
                let artifact = self.artifact(&head.artifact_id, head.version)?;
                Ok(WorkflowArtifactCatalogEntry::of(&artifact, Vec::new()).dump())
            })
            .collect::<Result<Vec<Value>, ApiError>>()?;
        let mut page = Object::with_capacity(3);
        page.insert("nodes", nodes);
        page.insert("next_cursor", next_cursor);
        page.insert("total", count(heads.len() as u64));
        Ok(page)
    }

    /// Saves an artifact document. What its plan needs and nobody recorded is recorded.
    ///
    /// # Errors
    /// A document or a plan that is not valid, and other content under an id and version that are taken.
    pub fn save_artifact(&self, document: &Value) -> OperationResult {
        let stated = WorkflowArtifact::parse(document)?;
        check_id(IdField::Artifact, &stated.id)?;
        let catalog = self.registry.snapshot();
        let artifact = stated.with_found_requirements(&*catalog, &|child| self.find_artifact(child))?;
        match self.save(&artifact, &Object::new()) {
            Err(ApiError::Store(StoreError::ArtifactExists { .. }))
                if is_what_was_stated(&self.artifact(&artifact.id, artifact.version)?, &stated) =>
            {
                Ok(saved(&artifact))
            }
            result => result,
        }
    }

    /// Makes an artifact of a plan and saves it.
    ///
    /// # Errors
    /// Everything that is wrong with the plan, and as [`Application::save_artifact`].
    pub fn create_artifact_from_plan(&self, draft: ArtifactDraft) -> OperationResult {
        check_id(IdField::Artifact, &draft.artifact_id)?;
        let draft = ArtifactDraft { observed_at_epoch_ms: Some(self.clock.now()), ..draft };
        let catalog = self.registry.snapshot();
        let artifact = create_artifact_from_plan(&draft, &*catalog, &|child| self.find_artifact(child))?;
        self.save(&artifact, &[("created_from_plan", true)].into_iter().collect())
    }

    /// The whole artifact.
    ///
    /// # Errors
    /// When it is not there.
    pub fn inspect_artifact(&self, artifact_id: &str, version: u32) -> OperationResult {
        Ok(self.artifact(artifact_id, version)?.dump().as_object().cloned().unwrap_or_default())
    }

    /// Deletes an artifact unless deployments use it.
    ///
    /// # Errors
    /// When it is not there.
    pub fn delete_artifact(&self, artifact_id: &str, version: u32) -> OperationResult {
        let users = self.store.delete_artifact(artifact_id, version)?;
        let named = [("artifact_id", Value::from(artifact_id)), ("version", Value::from(version))];
        if users.is_empty() {
            let id = format!("{artifact_id}@{version}");
            self.record_event("workflow_artifact_deleted", Some(&id), named.iter().cloned().collect())?;
        }
        let mut result: Object = named.into_iter().collect();
        result.insert("deleted", users.is_empty());
        result.insert("blocked_by_deployments", users);
        Ok(result)
    }

    fn save(&self, artifact: &WorkflowArtifact, remarks: &Object) -> OperationResult {
        let document = artifact.dump();
        let record = ArtifactRecord {
            head: ArtifactHead {
                artifact_id: Arc::clone(&artifact.id),
                version: artifact.version,
                kind: artifact.kind.as_str().into(),
                title: Arc::clone(&artifact.title),
                description: artifact.description.clone(),
            },
            content_hash: artifact.content_hash(),
            document,
            created_at: self.clock.now(),
        };
        if self.store.save_artifact(record)? == Saved::New {
            let mut payload: Object =
                [("artifact_id", Value::from(Arc::clone(&artifact.id))), ("version", Value::from(artifact.version))]
                    .into_iter()
                    .collect();
            for (key, value) in remarks {
                payload.insert(Arc::clone(key), value.clone());
            }
            self.record_event("workflow_artifact_saved", Some(&artifact_node_name(artifact)), payload)?;
        }
        Ok(saved(artifact))
    }

    /// A saved artifact.
    pub(super) fn artifact(&self, artifact_id: &str, version: u32) -> Result<WorkflowArtifact, ApiError> {
        let record = self.store.artifact(artifact_id, version)?;
        WorkflowArtifact::parse(&record.document).map_err(|error| {
            let what = format!("artifact {artifact_id}@{version}");
            StoreError::DocumentDamaged { what, problem: error.to_string() }.into()
        })
    }

    /// A saved artifact by its ref, if it is there and can be read.
    pub(super) fn find_artifact(&self, reference: &WorkflowCapabilityRef) -> Option<Arc<WorkflowArtifact>> {
        self.artifact(&reference.artifact_id, reference.version).ok().map(Arc::new)
    }
}

fn found(head: &ArtifactHead, query: Option<&str>) -> bool {
    let name = format!("workflow.{}.v{}", head.artifact_id, head.version);
    let texts =
        [Some(&*name), Some(&*head.artifact_id), Some(&*head.title), head.description.as_deref(), Some(&*head.kind)];
    matches_query(texts, query)
}

fn saved(artifact: &WorkflowArtifact) -> Object {
    let mut result = Object::with_capacity(3);
    result.insert("artifact_id", Arc::clone(&artifact.id));
    result.insert("version", Value::from(artifact.version));
    result.insert("saved", true);
    result
}

/// Whether a stored artifact is one that was stated now, with requirements that were found when it was saved.
fn is_what_was_stated(stored: &WorkflowArtifact, stated: &WorkflowArtifact) -> bool {
    let mut completed = stated.clone();
    for requirement in &stored.required_capabilities {
        if stated.requirement(&requirement.display()).is_none() {
            completed.required_capabilities.push(requirement.clone());
        }
    }
    completed.workflow_dependencies.clone_from(&stored.workflow_dependencies);
    let sorted = |artifact: &WorkflowArtifact| {
        let mut artifact = artifact.clone();
        artifact.required_capabilities.sort_by_key(RequiredCapability::display);
        artifact
    };
    sorted(stored).same_content(&sorted(&completed))
}
