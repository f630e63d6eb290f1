//! A run as a record: everything that readers see, as one document.

use std::sync::Arc;

use wf_core::run::{Run, RunFailure};
use wf_core::value::{Object, Value};
use wf_core::{document, text_enum};

use super::records::{ExecutionFrame, InterruptRequest, LineageState, RuntimeScope, TraceRecord, time};

text_enum! {
    /// What a run is doing.
    pub enum StatusWord {
        /// It has not begun.
        Pending = "pending",
        /// Steps are being executed.
        Running = "running",
        /// It has an outcome and an output.
        Completed = "completed",
        /// It stands at a failure.
        Failed = "failed",
        /// It waits for an answer.
        Interrupted = "interrupted",
        /// It was stopped for good.
        Cancelled = "cancelled",
    }
}

document! {
    /// A run as a record.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RunRecord: "RunState" {
        /// The name of the workflow.
        pub workflow_name: Arc<str>,
        /// What the run is doing.
        pub status: StatusWord,
        /// The input of the workflow.
        pub workflow_input: Object,
        /// The committed state.
        pub state: Object,
        /// How the workflow ended.
        pub outcome: Option<Arc<str>> = None,
        /// What the workflow gave.
        pub output: Object = Object::new(),
        /// What was executed.
        pub trace: Vec<TraceRecord> = Vec::new(),
        /// The frames by id, in order of creation.
        pub frames: Vec<(Arc<str>, ExecutionFrame)> = Vec::new(),
        /// The scopes by id.
        pub scopes: Vec<(Arc<str>, RuntimeScope)> = Vec::new(),
        /// The lineages by id.
        pub lineages: Vec<(Arc<str>, LineageState)> = Vec::new(),
        /// The frames whose turn comes next.
        pub ready_frame_ids: Vec<Arc<str>> = Vec::new(),
        /// The frame that the run stands at.
        pub current_frame_id: Option<Arc<str>> = None,
        /// The step that the run stands at.
        pub current_node_id: Option<Arc<str>> = None,
        /// The outcome of the step before.
        pub prior_outcome: Option<Arc<str>> = None,
        /// The id of the step before.
        pub activated_incoming_edge: Option<Arc<str>> = None,
        /// The message of the failure.
        pub error: Option<Arc<str>> = None,
        /// The question that waits for an answer.
        pub interrupt: Option<InterruptRequest> = None,
        /// The failure in full.
        pub failure: Option<Object> = None,
        /// The run's id.
        pub run_id: Option<Arc<str>> = None,
        /// The hash of the plan it runs by.
        pub plan_hash: Option<Arc<str>> = None,
        /// When it started, in seconds since the epoch.
        pub started_at: Value = Value::Null,
        /// When it completed, failed or was cancelled, in seconds since the epoch.
        pub finished_at: Value = Value::Null,
    }
}

impl RunRecord {
    /// A record with nothing in it, to be filled.
    pub(super) fn blank() -> Self {
        Self {
            workflow_name: Arc::from(""),
            status: StatusWord::Pending,
            workflow_input: Object::new(),
            state: Object::new(),
            outcome: None,
            output: Object::new(),
            trace: Vec::new(),
            frames: Vec::new(),
            scopes: Vec::new(),
            lineages: Vec::new(),
            ready_frame_ids: Vec::new(),
            current_frame_id: None,
            current_node_id: None,
            prior_outcome: None,
            activated_incoming_edge: None,
            error: None,
            interrupt: None,
            failure: None,
            run_id: None,
            plan_hash: None,
            started_at: Value::Null,
            finished_at: Value::Null,
        }
    }
}

/// The frames by id, in order of creation.
pub(super) fn frames(run: &Run) -> Vec<(Arc<str>, ExecutionFrame)> {
    run.frames().map(ExecutionFrame::from).map(|frame| (Arc::clone(&frame.id), frame)).collect()
}

/// The scopes by id.
pub(super) fn scopes(run: &Run) -> Vec<(Arc<str>, RuntimeScope)> {
    run.scopes().map(RuntimeScope::from).map(|scope| (Arc::clone(&scope.id), scope)).collect()
}

/// The lineages by id.
pub(super) fn lineages(run: &Run) -> Vec<(Arc<str>, LineageState)> {
    run.lineages().map(LineageState::from).map(|lineage| (Arc::clone(&lineage.id), lineage)).collect()
}

/// Why the run failed, or why it was cancelled.
pub(super) fn failure_of(run: &Run) -> Option<Object> {
    let object = |failure: RunFailure| failure.to_value().as_object().cloned();
    run.error().and_then(object).or_else(|| {
        let reason = run.cancel_reason()?;
        Some(Object::from_iter([
            ("code", Value::from("run.cancelled")),
            ("type", Value::from("CancelledError")),
            ("message", Value::from(Arc::clone(reason))),
        ]))
    })
}

/// The whole run.
pub(super) fn record_of(run: &Run) -> RunRecord {
    let frames = frames(run);
    let interrupt = run.interrupt().map(InterruptRequest::from);
    let failure = failure_of(run);
    // The frame that the run stands at: where it failed, where it asks, else the first that is to go on.
    let at = run
        .error()
        .and_then(|error| error.frame_id)
        .map(Arc::from)
        .or_else(|| {
            interrupt.as_ref().map(|interrupt| {
                interrupt
                    .route
                    .as_ref()
                    .map_or_else(|| Arc::clone(&interrupt.frame_id), |route| Arc::clone(&route.frame_id))
            })
        })
        .or_else(|| run.ready().next().map(Arc::from))
        .unwrap_or_else(|| Arc::from("root"));
    let current = frames.iter().find(|(id, _)| *id == at).map(|(_, frame)| frame.clone());
    RunRecord {
        workflow_name: Arc::clone(&run.plan().workflows()[0].document().name),
        status: StatusWord::from_word(run.status().as_str()).unwrap_or(StatusWord::Running),
        workflow_input: run.input().clone(),
        state: run.state().clone(),
        outcome: run.outcome().cloned(),
        output: run.output().clone(),
        trace: run.trace().iter().map(TraceRecord::from).collect(),
        scopes: scopes(run),
        lineages: lineages(run),
        ready_frame_ids: run.ready().map(Arc::from).collect(),
        current_frame_id: current.as_ref().map(|frame| Arc::clone(&frame.id)),
        current_node_id: current.as_ref().map(|frame| Arc::clone(&frame.node_id)),
        prior_outcome: current.as_ref().and_then(|frame| frame.prior_outcome.clone()),
        activated_incoming_edge: current.and_then(|frame| frame.activated_incoming_edge),
        frames,
        error: failure.as_ref().and_then(|failure| failure.get("message")?.as_str().map(Arc::from)),
        interrupt,
        failure,
        run_id: Some(Arc::clone(run.id())),
        plan_hash: Some(run.plan_hash().into()),
        started_at: time(run.started_at()),
        finished_at: run.finished_at().map_or(Value::Null, time),
    }
}
