//! How a run looks from outside: results, interrupts, slices of traces.

use std::sync::Arc;

use wf_core::document::Document as _;
use wf_core::run::{InterruptView, Run, TraceEntry};
use wf_core::value::{Object, Value};
use wf_platform::deployment::DependencyDiagnostic;
use wf_platform::guidance::NextActions;

use super::count;
use super::deployments::dumped;
use crate::error::ApiError;
use crate::store::{ResumeReadiness, RunHead, RunStatus};

/// Which entries of a trace to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceRange {
    start: usize,
    limit: usize,
}

impl TraceRange {
    /// A range of at most `limit` entries from `start` on.
    ///
    /// # Errors
    /// [`ApiError::TraceStart`] and [`ApiError::TraceLimit`] when one is out of range.
    pub fn new(start: i64, limit: i64) -> Result<Self, ApiError> {
        let start = usize::try_from(start).map_err(|_| ApiError::TraceStart)?;
        let limit = usize::try_from(limit).ok().filter(|limit| *limit > 0).ok_or(ApiError::TraceLimit)?;
        Ok(Self { start, limit })
    }

    /// The first entry behind the range.
    pub(super) fn end(self) -> u64 {
        self.start.saturating_add(self.limit) as u64
    }
}

/// What is stored of a run that stands still: everything that a result shows besides ids and diagnostics.
pub(super) fn stopped_json(run: &Run) -> Object {
    let failure = run.error();
    let error =
        failure.as_ref().map(|failure| Arc::clone(&failure.failure.message)).or_else(|| run.cancel_reason().cloned());
    let mut result = Object::with_capacity(5);
    result.insert("interrupt", run.interrupt().map(|interrupt| interrupt_json(&interrupt)));
    result.insert("outcome", run.outcome().cloned());
    result.insert("error", error);
    result.insert("output", run.output().clone());
    result.insert("failure", failure.map(|failure| failure.to_value()));
    result
}

/// What is stored of a run that never came to its first step.
pub(super) fn never_ran_json(failure: &Object) -> Object {
    let mut result = Object::with_capacity(5);
    result.insert("interrupt", Value::Null);
    result.insert("outcome", Value::Null);
    result.insert("error", failure.get("message").cloned().unwrap_or_default());
    result.insert("output", Object::new());
    result.insert("failure", failure.clone());
    result
}

/// The result of a stored run.
pub(super) fn run_json(head: &RunHead, diagnostics: &[DependencyDiagnostic]) -> Object {
    let stored = head.state.result.as_object();
    let part = |key: &str| stored.and_then(|stored| stored.get(key)).cloned().unwrap_or_default();
    let mut result = Object::with_capacity(18);
    result.insert("deployment_id", Arc::clone(&head.deployment_id));
    result.insert("artifact_id", Arc::clone(&head.artifact_id));
    result.insert("artifact_version", Value::from(head.artifact_version));
    result.insert("status", head.state.status.as_str());
    result.insert("run_id", Arc::clone(&head.run_id));
    result.insert("resume_readiness", head.state.resume_readiness.as_str());
    for key in ["interrupt", "outcome", "error", "output"] {
        result.insert(key, part(key));
    }
    result.insert("diagnostics", dumped(diagnostics));
    result.insert("trace_count", count(head.state.trace_count));
    let status = head.state.status.as_str();
    let next = NextActions::from_run_result(Some(&head.run_id), status, head.state.trace_count, diagnostics);
    result.insert("next_actions", next.dump());
    result.insert("failure", part("failure"));
    result
}

/// The result of a deployment that did not start.
pub(super) fn unrunnable_json(
    deployment_id: &str,
    artifact_id: &str,
    artifact_version: u32,
    diagnostics: &[DependencyDiagnostic],
) -> Object {
    let mut result = Object::with_capacity(14);
    result.insert("deployment_id", deployment_id);
    result.insert("artifact_id", artifact_id);
    result.insert("artifact_version", Value::from(artifact_version));
    result.insert("status", "unrunnable");
    for key in ["run_id", "resume_readiness", "interrupt", "outcome", "error", "output"] {
        result.insert(key, Value::Null);
    }
    result.insert("diagnostics", dumped(diagnostics));
    result.insert("trace_count", 0_i64);
    result.insert("next_actions", NextActions::from_run_result(None, "unrunnable", 0, diagnostics).dump());
    result.insert("failure", Value::Null);
    result
}

/// Adds a slice of the trace to a result.
pub(super) fn add_trace(result: &mut Object, run: &Run, range: TraceRange) {
    let trace = run.trace();
    let end = range.start.saturating_add(range.limit);
    let entries: Vec<Value> =
        (range.start..end).map_while(|position| trace.get(position)).map(|entry| entry_json(&entry).into()).collect();
    result.insert("trace", entries);
    result.insert("trace_start", count(range.start as u64));
    result.insert("trace_limit", count(range.limit as u64));
    result.insert("trace_truncated", trace.len() > end);
}

/// Adds the slice of a trace that has no entries.
pub(super) fn add_empty_trace(result: &mut Object, range: TraceRange) {
    result.insert("trace", Vec::<Value>::new());
    result.insert("trace_start", count(range.start as u64));
    result.insert("trace_limit", count(range.limit as u64));
    result.insert("trace_truncated", false);
}

fn entry_json(entry: &TraceEntry) -> Object {
    let mut object = Object::with_capacity(9);
    object.insert("frame_id", entry.frame_id.as_str());
    object.insert("node_id", Arc::clone(&entry.node_id));
    object.insert("step_type", entry.step_type);
    object.insert("resolved_input", entry.resolved_input.clone());
    object.insert("outcome", Arc::clone(&entry.outcome));
    object.insert("next_node_id", Arc::clone(&entry.next_node_id));
    object.insert("output", entry.output.clone());
    object.insert("state_changes", entry.state_changes.clone());
    // Only the entry of a failed step has one, so that the others look as they always did.
    if let Some(error) = &entry.error {
        object.insert("error", error.to_value());
    }
    object
}

fn interrupt_json(interrupt: &InterruptView) -> Object {
    let route = interrupt.route.as_ref().map(|route| {
        let mut object = Object::with_capacity(6);
        object.insert("frame_id", route.frame_id.as_str());
        object.insert("node_id", Arc::clone(&route.node_id));
        object.insert("scope_id", route.scope_id.as_str());
        object.insert("lineage_id", route.lineage_id.as_str());
        object.insert("parent_frame_id", route.parent_frame_id.as_str());
        object.insert("workflow_ref", route.workflow_ref.as_ref().map(wf_core::document::Part::write));
        object
    });
    let mut object = Object::with_capacity(11);
    object.insert("id", Arc::clone(&interrupt.id));
    object.insert("frame_id", interrupt.frame_id.as_str());
    object.insert("node_id", Arc::clone(&interrupt.node_id));
    object.insert("kind", Arc::clone(&interrupt.kind));
    object.insert("payload", interrupt.payload.clone());
    object.insert("resumable", true);
    object.insert("route", route);
    object.insert("outcomes", interrupt.outcomes.clone());
    object.insert("request_schema", interrupt.request_schema.clone());
    object.insert("resume_schema", interrupt.resume_schema.clone());
    object.insert("typed", interrupt.typed);
    object
}

/// Where a run of the machine stands, as a store keeps it.
pub(super) fn stored_status(run: &Run) -> (RunStatus, ResumeReadiness) {
    use wf_core::run::RunStatus as Machine;

    match run.status() {
        Machine::Interrupted => (RunStatus::Interrupted, ResumeReadiness::Ready),
        Machine::Completed => (RunStatus::Completed, ResumeReadiness::NotApplicable),
        Machine::Failed => (RunStatus::Failed, ResumeReadiness::NotApplicable),
        Machine::Cancelled => (RunStatus::Cancelled, ResumeReadiness::NotApplicable),
        Machine::Pending | Machine::Running => (RunStatus::Running, ResumeReadiness::NotApplicable),
    }
}
