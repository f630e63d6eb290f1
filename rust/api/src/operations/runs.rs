//! Looking at stored runs.

use std::sync::Arc;

use wf_core::document::Document as _;
use wf_core::value::{Object, Value};
use wf_platform::deployment::DependencyDiagnostic;
use wf_platform::guidance::NextActions;

use super::run_json::{TraceRange, add_empty_trace, add_trace, run_json};
use super::{Application, OperationResult, count};
use crate::clock::iso_time;
use crate::error::ApiError;
use crate::store::{Listed, RunFilter, RunHead, RunStatus, StoreError};

impl<H: Clone> Application<H> {
    /// The result of a stored run, without its trace.
    ///
    /// # Errors
    /// When it is not there.
    pub fn inspect_run(&self, run_id: &str) -> OperationResult {
        let head = self.store.head(run_id)?;
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
        match self.restore(&record)? {
            Some(run) => add_trace(&mut result, &run, range),
            None => add_empty_trace(&mut result, range),
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
