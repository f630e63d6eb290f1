//! Reading stored runs back: the environment they were started in, and the run as its journal tells it.

use std::sync::Arc;

use wf_core::document::{Document as _, DocumentError};
use wf_core::run::{Event, Run};
use wf_core::value::{Object, Value};
use wf_platform::artifact::WorkflowArtifact;
use wf_platform::deployment::WorkflowDeployment;

use super::Application;
use super::deployments::Validation;
use super::prepare::{Prepared, compile_again};
use crate::error::ApiError;
use crate::store::RunRecord;

/// How many records are read at once.
const PAGE: u64 = 1_000;

/// What a run was started with, as it is stored.
pub(super) struct Environment {
    pub(super) deployment: WorkflowDeployment,
    pub(super) artifact: WorkflowArtifact,
    pub(super) children: Vec<Arc<WorkflowArtifact>>,
    workflows: Object,
}

impl Environment {
    pub(super) fn json<H>(validation: &Validation<H>, prepared: &Prepared<H>) -> Value {
        let children: Vec<Value> = validation.tree.artifacts().map(|(_, child)| child.dump()).collect();
        let mut object = Object::with_capacity(4);
        object.insert("deployment", validation.deployment.dump());
        object.insert("root_artifact", validation.artifact.dump());
        object.insert("child_artifacts", children);
        object.insert("workflows", prepared.workflows_json());
        object.into()
    }

    pub(super) fn parse(record: &RunRecord) -> Result<Self, ApiError> {
        let damaged = |problem: String| ApiError::RunDamaged { run_id: Arc::clone(&record.head.run_id), problem };
        let object =
            record.environment.as_object().ok_or_else(|| damaged("its environment is no object".to_owned()))?;
        let part = |key: &str| object.get(key).cloned().unwrap_or_default();
        let text = |error: DocumentError| damaged(error.to_string());
        let children = part("child_artifacts");
        Ok(Self {
            deployment: WorkflowDeployment::parse(&part("deployment")).map_err(text)?,
            artifact: WorkflowArtifact::parse(&part("root_artifact")).map_err(text)?,
            children: children
                .as_list()
                .map(|list| list.iter().map(|child| WorkflowArtifact::parse(child).map(Arc::new)).collect())
                .transpose()
                .map_err(text)?
                .unwrap_or_default(),
            workflows: part("workflows").as_object().cloned().unwrap_or_default(),
        })
    }
}

impl<H> Application<H> {
    /// The run as its journal tells it; nothing when it never came to its first event.
    pub(super) fn restore(&self, record: &RunRecord) -> Result<Option<Run>, ApiError> {
        let run_id = &record.head.run_id;
        let damaged = |problem: String| ApiError::RunDamaged { run_id: Arc::clone(run_id), problem };
        let read = |body: &str| {
            Value::parse_json_with_depth(body, 2 * wf_core::value::MAX_DEPTH)
                .map_err(|error| damaged(error.to_string()))
        };
        let snapshot = self.store.snapshot(run_id)?;
        let mut position = snapshot.as_ref().map_or(0, |snapshot| snapshot.position);
        let mut events = Vec::new();
        loop {
            let page = self.store.journal(run_id, position, PAGE)?;
            position += page.len() as u64;
            for record in &page {
                events.push(Event::from_value(&read(&record.body)?).map_err(|error| damaged(error.to_string()))?);
            }
            if (page.len() as u64) < PAGE {
                break;
            }
        }
        if snapshot.is_none() && events.is_empty() {
            return Ok(None);
        }
        let plan = compile_again(&Environment::parse(record)?.workflows).map_err(damaged)?;
        let Some(snapshot) = snapshot else {
            return Run::replay(plan, events).map(Some).map_err(|error| damaged(error.to_string()));
        };
        let mut run = Run::restore(plan, &read(&snapshot.body)?).map_err(|error| damaged(error.to_string()))?;
        for event in events {
            run.apply(event).map_err(|error| damaged(error.to_string()))?;
        }
        Ok(Some(run))
    }
}
