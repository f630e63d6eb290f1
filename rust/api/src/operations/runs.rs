//! Runs: preparing them, storing how they stopped, and looking at them.

use std::sync::Arc;

use wf_core::document::{Document as _, DocumentError};
use wf_core::run::Run;
use wf_core::value::{Object, Value};
use wf_platform::artifact::{SavedSubgraphTree, WorkflowArtifact};
use wf_platform::deployment::{DependencyDiagnostic, WorkflowDeployment, is_runnable};
use wf_platform::guidance::NextActions;

use super::deployments::{Validation, dumped, validate};
use super::prepare::{Prepared, compile_again};
use super::run_json::{
    TraceRange, add_empty_trace, add_trace, never_ran_json, run_json, stopped_json, stored_status, unrunnable_json,
};
use super::{Application, OperationResult, count};
use crate::clock::iso_time;
use crate::error::ApiError;
use crate::store::{
    Listed, NewRun, ResumeReadiness, RunChange, RunCommit, RunFilter, RunHead, RunRecord, RunStatus, StoreError,
};

/// A deployment that was asked to run.
#[derive(Debug)]
pub enum Begun<H> {
    /// It cannot; this is the result.
    Unrunnable(Object),
    /// It has a run, which a driver now drives and then hands to [`Application::finish_run`].
    Ready {
        /// The run's id.
        run_id: Arc<str>,
        /// What runs.
        prepared: Box<Prepared<H>>,
    },
}

/// A stored run that was asked to go on.
#[derive(Debug)]
pub enum Resumed<H> {
    /// Its environment does not allow it now; this is the result.
    Blocked(Object),
    /// It stands where it stopped. A driver answers or retries it, and then hands it to
    /// [`Application::finish_run`].
    Ready {
        /// The run.
        run: Box<Run>,
        /// What runs.
        prepared: Box<Prepared<H>>,
    },
}

/// What a run was started with, as it is stored.
struct Environment {
    deployment: WorkflowDeployment,
    artifact: WorkflowArtifact,
    children: Vec<Arc<WorkflowArtifact>>,
    workflows: Object,
}

impl Environment {
    fn json<H>(validation: &Validation<H>, prepared: &Prepared<H>) -> Value {
        let children: Vec<Value> = validation.tree.artifacts().map(|(_, child)| child.dump()).collect();
        let mut object = Object::with_capacity(4);
        object.insert("deployment", validation.deployment.dump());
        object.insert("root_artifact", validation.artifact.dump());
        object.insert("child_artifacts", children);
        object.insert("workflows", prepared.workflows_json());
        object.into()
    }

    fn parse(record: &RunRecord) -> Result<Self, ApiError> {
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

impl<H: Clone> Application<H> {
    /// Checks a deployment and gives it a run.
    ///
    /// # Errors
    /// When the deployment or its artifact is not there.
    pub fn begin_run(&self, deployment_id: &str) -> Result<Begun<H>, ApiError> {
        let mut validation = self.validation(deployment_id)?;
        let Some(prepared) = validation.prepared.take() else {
            let Validation { artifact, diagnostics, .. } = validation;
            return Ok(Begun::Unrunnable(unrunnable_json(deployment_id, &artifact.id, artifact.version, &diagnostics)));
        };
        let run_id = new_run_id()?;
        self.store.create_run(NewRun {
            run_id: Arc::clone(&run_id),
            deployment_id: Arc::clone(&validation.deployment.id),
            artifact_id: Arc::clone(&validation.artifact.id),
            artifact_version: validation.artifact.version,
            environment: Environment::json(&validation, &prepared),
            plan_hash: prepared.plan.hash().into(),
            idempotency_key: None,
            records: Vec::new(),
            at: self.clock.now(),
        })?;
        if !validation.diagnostics.is_empty() {
            self.store.commit_run(RunCommit {
                change: Some(RunChange {
                    status: RunStatus::Running,
                    resume_readiness: ResumeReadiness::NotApplicable,
                    diagnostics: dumped(&validation.diagnostics),
                    result: Object::new().into(),
                    trace_count: 0,
                }),
                ..self.commit(&run_id)?
            })?;
        }
        Ok(Begun::Ready { run_id, prepared: Box::new(prepared) })
    }

    /// Restores an interrupted run, unless its environment keeps it from going on.
    ///
    /// # Errors
    /// A run that is not interrupted, or that cannot be read.
    pub fn begin_resume(&self, run_id: &str) -> Result<Resumed<H>, ApiError> {
        let record = self.store.run(run_id)?;
        if record.head.state.status != RunStatus::Interrupted {
            let status = record.head.state.status.as_str();
            return Err(ApiError::NotInterrupted { run_id: record.head.run_id, status });
        }
        self.begin_again(&record)
    }

    /// Restores a failed run, unless its environment keeps it from going on.
    ///
    /// # Errors
    /// A run that has not failed, or that cannot be read.
    pub fn begin_retry(&self, run_id: &str) -> Result<Resumed<H>, ApiError> {
        let record = self.store.run(run_id)?;
        if record.head.state.status != RunStatus::Failed {
            let status = record.head.state.status.as_str();
            return Err(ApiError::NotFailed { run_id: record.head.run_id, status });
        }
        self.begin_again(&record)
    }

    /// The pinned environment counts, and the sources as they are now.
    fn begin_again(&self, record: &RunRecord) -> Result<Resumed<H>, ApiError> {
        let run = self.restore(record)?;
        let Environment { deployment, artifact, children, .. } = Environment::parse(record)?;
        let tree = SavedSubgraphTree::of_snapshots(children);
        let validation = validate(deployment, artifact, tree, &self.registry.snapshot());
        let Some(mut prepared) = validation.prepared.filter(|_| is_runnable(&validation.diagnostics)) else {
            let head = RunHead {
                state: RunChange {
                    resume_readiness: ResumeReadiness::Blocked,
                    diagnostics: dumped(&validation.diagnostics),
                    ..record.head.state.clone()
                },
                ..record.head.clone()
            };
            self.store.commit_run(RunCommit { change: Some(head.state.clone()), ..self.commit(&head.run_id)? })?;
            return Ok(Resumed::Blocked(run_json(&head, &validation.diagnostics)));
        };
        prepared.pin(run.plan());
        Ok(Resumed::Ready { run: Box::new(run), prepared: Box::new(prepared) })
    }

    /// Stores how a run stopped.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn finish_run(&self, run_id: &str, run: &Run, range: Option<TraceRange>) -> OperationResult {
        let (status, resume_readiness) = stored_status(run);
        let change = RunChange {
            status,
            resume_readiness,
            diagnostics: self.store.run(run_id)?.head.state.diagnostics,
            result: stopped_json(run).into(),
            trace_count: run.trace().len() as u64,
        };
        let snapshot = Some(run.snapshot().to_json().into());
        self.store.commit_run(RunCommit { snapshot, change: Some(change), ..self.commit(run_id)? })?;
        let mut result = self.inspect_run(run_id)?;
        if let Some(range) = range {
            add_trace(&mut result, run, range);
        }
        Ok(result)
    }

    /// Stores that a run failed before its first step, or was given up.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn abandon_run(
        &self,
        run_id: &str,
        status: RunStatus,
        failure: &Object,
        range: Option<TraceRange>,
    ) -> OperationResult {
        let change = RunChange {
            status,
            resume_readiness: ResumeReadiness::NotApplicable,
            diagnostics: self.store.run(run_id)?.head.state.diagnostics,
            result: never_ran_json(failure).into(),
            trace_count: 0,
        };
        self.store.commit_run(RunCommit { change: Some(change), ..self.commit(run_id)? })?;
        let mut result = self.inspect_run(run_id)?;
        if let Some(range) = range {
            add_empty_trace(&mut result, range);
        }
        Ok(result)
    }

    /// Cancels a run that stands still: one that waits for a person, or that failed.
    ///
    /// # Errors
    /// A run that has finished.
    pub fn cancel_run(&self, run_id: &str, reason: &str) -> OperationResult {
        let record = self.store.run(run_id)?;
        let mut run = self.restore(&record)?;
        run.cancel(reason, self.clock.now())?;
        self.finish_run(run_id, &run, None)
    }

    /// The result of a stored run, without its trace.
    ///
    /// # Errors
    /// When it is not there.
    pub fn inspect_run(&self, run_id: &str) -> OperationResult {
        let head = self.store.run(run_id)?.head;
        let diagnostics = stored_diagnostics(&head)?;
        Ok(run_json(&head, &diagnostics))
    }

    /// A slice of the trace of a stored run.
    ///
    /// # Errors
    /// When it is not there, or cannot be read.
    pub fn read_run_trace(&self, run_id: &str, range: TraceRange) -> OperationResult {
        let record = self.store.run(run_id)?;
        let diagnostics = stored_diagnostics(&record.head)?;
        let mut result = run_json(&record.head, &diagnostics);
        // The short answers are for `inspect_run`; why a run failed belongs beside its trace.
        for key in ["interrupt", "outcome", "error", "output"] {
            result.insert(key, Value::Null);
        }
        let state = &record.head.state;
        let next = NextActions::from_run_result(Some(run_id), state.status.as_str(), state.trace_count, &diagnostics)
            .after_trace(run_id, range.end(), state.trace_count);
        result.insert("next_actions", next.dump());
        if self.store.snapshot(run_id)?.is_some() {
            add_trace(&mut result, &self.restore(&record)?, range);
        } else {
            add_empty_trace(&mut result, range);
        }
        Ok(result)
    }

    /// Stored runs, the latest first.
    ///
    /// # Errors
    /// A status, a cursor or a limit that is none.
    pub fn list_runs(&self, status: Option<&str>, cursor: Option<&str>, limit: i64) -> OperationResult {
        let limit = u64::try_from(limit).ok().filter(|limit| (1..=100).contains(limit)).ok_or(ApiError::RunLimit)?;
        let offset = match cursor {
            None => 0,
            Some(cursor) => cursor.trim().parse::<u64>().map_err(|_| ApiError::RunCursor)?,
        };
        let known = |name: &str| RunStatus::from_name(name).ok_or_else(|| ApiError::RunStatus { got: name.to_owned() });
        let filter = RunFilter { status: status.map(known).transpose()?, deployment_id: None };
        let Listed { items, total } = self.store.runs(&filter, offset, limit)?;
        let next = offset.saturating_add(items.len() as u64);
        let rows: Vec<Value> = items.iter().map(|head| row(head).into()).collect();
        let mut page = Object::with_capacity(5);
        page.insert("runs", rows);
        page.insert("total", count(total));
        page.insert("cursor", cursor);
        page.insert("next_cursor", (next < total).then(|| next.to_string()));
        page.insert("limit", count(limit));
        Ok(page)
    }

    /// The run as it was when it stopped last.
    fn restore(&self, record: &RunRecord) -> Result<Run, ApiError> {
        let damaged = |problem: String| ApiError::RunDamaged { run_id: Arc::clone(&record.head.run_id), problem };
        let snapshot = self.store.snapshot(&record.head.run_id)?;
        let snapshot = snapshot.ok_or_else(|| damaged("it has no snapshot".to_owned()))?;
        let plan = compile_again(&Environment::parse(record)?.workflows).map_err(damaged)?;
        let value = Value::parse_json_with_depth(&*snapshot.body, 2 * wf_core::value::MAX_DEPTH)
            .map_err(|error| damaged(error.to_string()))?;
        Run::restore(plan, &value).map_err(|error| damaged(error.to_string()))
    }

    /// A commit that changes nothing yet.
    fn commit(&self, run_id: &str) -> Result<RunCommit, ApiError> {
        Ok(RunCommit {
            run_id: run_id.into(),
            after: self.store.journal_length(run_id)?,
            lease: None,
            records: Vec::new(),
            snapshot: None,
            change: None,
            at: self.clock.now(),
        })
    }
}

fn stored_diagnostics(head: &RunHead) -> Result<Vec<DependencyDiagnostic>, ApiError> {
    let stored = head.state.diagnostics.as_list().map(|list| list.iter()).into_iter().flatten();
    stored.map(DependencyDiagnostic::parse).collect::<Result<_, _>>().map_err(|error| {
        StoreError::DocumentDamaged { what: format!("run {}", head.run_id), problem: error.to_string() }.into()
    })
}

fn row(head: &RunHead) -> Object {
    let diagnostics = head.state.diagnostics.as_list().map_or(0, |list| list.len());
    let mut row = Object::with_capacity(9);
    row.insert("run_id", Arc::clone(&head.run_id));
    row.insert("deployment_id", Arc::clone(&head.deployment_id));
    row.insert("artifact_id", Arc::clone(&head.artifact_id));
    row.insert("artifact_version", Value::from(head.artifact_version));
    row.insert("status", head.state.status.as_str());
    row.insert("resume_readiness", head.state.resume_readiness.as_str());
    row.insert("diagnostic_count", count(diagnostics as u64));
    row.insert("created_at", iso_time(head.created_at));
    row.insert("updated_at", iso_time(head.updated_at));
    row
}

/// `run_` and 32 hexadecimal digits.
fn new_run_id() -> Result<Arc<str>, ApiError> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| ApiError::NoRandomness { problem: error.to_string() })?;
    Ok(format!("run_{:032x}", u128::from_le_bytes(bytes)).into())
}
