//! The records that a run is made of, for readers: frames, scopes, lineages, the trace, the interrupt.
//!
//! Declared like documents, so that each is an immutable value that can be built by hand, compared, dumped and pickled.

use std::sync::Arc;

use pyo3::prelude::*;
use wf_core::document::{ReducerRef, WorkflowRef};
use wf_core::path::StatePath;
use wf_core::run::{FrameView, InterruptRoute, InterruptView, LineageView, ScopeView, TraceEntry, WriteView};
use wf_core::value::{Object, Value};
use wf_core::{document, text_enum};

use super::clock::seconds;
use super::enums;
use crate::document::{data, register_class};
use crate::document_class;

text_enum! {
    /// What a frame is doing.
    pub enum FrameStatus {
        /// It waits for its turn.
        Pending = "pending",
        /// It is in the middle of a step.
        Running = "running",
        /// It waits for frames it has started.
        Blocked = "blocked",
        /// It is at its end.
        Completed = "completed",
        /// Its step failed.
        Failed = "failed",
        /// It waits for an answer.
        Interrupted = "interrupted",
        /// Its result is no longer wanted.
        Cancelled = "cancelled",
    }
}

document! {
    /// An execution cursor.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ExecutionFrame: "ExecutionFrame" {
        /// Its id.
        pub id: Arc<str>,
        /// What kind it is: workflow, foreach_iteration, subgraph_root or fork_branch.
        pub kind: Arc<str>,
        /// The step it stands at.
        pub node_id: Arc<str>,
        /// What it is doing.
        pub status: FrameStatus = FrameStatus::Pending,
        /// The frame that started it.
        pub parent_frame_id: Option<Arc<str>> = None,
        /// Its scope.
        pub scope_id: Arc<str> = root(),
        /// Its lineage.
        pub lineage_id: Arc<str> = root(),
        /// The lineage around it.
        pub parent_lineage_id: Option<Arc<str>> = None,
        /// The outcome of the step before.
        pub prior_outcome: Option<Arc<str>> = None,
        /// The id of the step before.
        pub activated_incoming_edge: Option<Arc<str>> = None,
        /// What else is known.
        pub metadata: Object = Object::new(),
        /// Where it ended.
        pub finished_at_node_id: Option<Arc<str>> = None,
    }
}

document! {
    /// One activation of a workflow.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RuntimeScope: "RuntimeScope" {
        /// Its id.
        pub id: Arc<str>,
        /// The name of its workflow.
        pub workflow_name: Arc<str>,
        /// The input of the workflow.
        pub workflow_input: Object = Object::new(),
        /// What was committed to its state.
        pub committed_state: Object = Object::new(),
        /// By which the workflow was referred to; none for the root.
        pub workflow_ref: Option<WorkflowRef> = None,
    }
}

document! {
    /// What a frame wrote that is not committed yet.
    #[derive(Clone, Debug, PartialEq)]
    pub struct LineageState: "LineageState" {
        /// Its id.
        pub id: Arc<str>,
        /// Its scope.
        pub scope_id: Arc<str>,
        /// The lineage around it.
        pub parent_id: Option<Arc<str>> = None,
        /// The writes in order.
        pub writes: Vec<StateWrite> = Vec::new(),
    }
}

document! {
    /// One uncommitted write.
    #[derive(Clone, Debug, PartialEq)]
    pub struct StateWrite: "StateWrite" {
        /// The place.
        pub path: StatePath,
        /// The value that came in.
        pub incoming_value: Value,
        /// What later steps of the lineage see at the place.
        pub visible_value: Value,
        /// How the write merges.
        pub reducer: ReducerRef = ReducerRef::replace(),
    }
}

document! {
    /// One executed step.
    #[derive(Clone, Debug, PartialEq)]
    pub struct TraceRecord: "TraceEntry" {
        /// The frame that executed it.
        pub frame_id: Arc<str>,
        /// The step.
        pub node_id: Arc<str>,
        /// Its type.
        pub step_type: Arc<str>,
        /// The payload, or what takes its place.
        pub resolved_input: Object,
        /// How it ended.
        pub outcome: Arc<str>,
        /// The step the frame went to.
        pub next_node_id: Arc<str>,
        /// What it returned.
        pub output: Object = Object::new(),
        /// What it changed in the committed state, by path.
        pub state_changes: Object = Object::new(),
        /// The remarks of the handler.
        pub meta: Object = Object::new(),
        /// Why it failed, if it did.
        pub failure: Option<Object> = None,
        /// When it began, in seconds since the epoch.
        pub started_at: Value = Value::Null,
        /// When it was done, in seconds since the epoch.
        pub finished_at: Value = Value::Null,
    }
}

document! {
    /// What the execution of a single step gave.
    #[derive(Clone, Debug, PartialEq)]
    pub struct StepExecutionResult: "StepExecutionResult" {
        /// How it ended.
        pub outcome: Arc<str>,
        /// The payload.
        pub resolved_input: Object = Object::new(),
        /// What it returned.
        pub output: Object = Object::new(),
        /// What it changed in the state, by path.
        pub state_changes: Object = Object::new(),
    }
}

document! {
    /// A question that waits for an answer.
    #[derive(Clone, Debug, PartialEq)]
    pub struct InterruptRequest: "InterruptRequest" {
        /// Its id, unique within the run.
        pub id: Arc<str>,
        /// The frame that asks; for a question of a child workflow, the frame of the outermost subgraph step.
        pub frame_id: Arc<str>,
        /// The step; for a question of a child workflow, the outermost subgraph step.
        pub node_id: Arc<str>,
        /// What kind of answer is wanted.
        pub kind: Arc<str>,
        /// The question.
        pub payload: Object = Object::new(),
        /// Whether it can be answered.
        pub resumable: bool = true,
        /// The way to the frame that really asks; none when it is in the root scope.
        pub route: Option<Route> = None,
        /// The outcomes an answer may choose.
        pub outcomes: Vec<Arc<str>> = vec![Arc::from("submitted")],
        /// The schema the question met.
        pub request_schema: Object = any_object(),
        /// The schema the answer has to meet.
        pub resume_schema: Object = any_object(),
        /// Whether the author gave a schema.
        pub typed: bool = false,
    }
}

document! {
    /// Where a question of a child workflow comes from.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Route: "InterruptRoute" {
        /// The frame that asks.
        pub frame_id: Arc<str>,
        /// The interrupt step.
        pub node_id: Arc<str>,
        /// Its scope.
        pub scope_id: Arc<str>,
        /// Its lineage.
        pub lineage_id: Arc<str>,
        /// The frame of the subgraph step around it.
        pub parent_frame_id: Arc<str>,
        /// The workflow that asks.
        pub workflow_ref: Option<WorkflowRef>,
        /// The subgraph steps from the root down, and the interrupt step.
        pub steps: Vec<Arc<str>> = Vec::new(),
    }
}

fn root() -> Arc<str> {
    Arc::from("root")
}

fn any_object() -> Object {
    Object::from_iter([("type", Value::from("object")), ("additionalProperties", Value::Bool(true))])
}

impl From<FrameView> for ExecutionFrame {
    fn from(view: FrameView) -> Self {
        Self {
            id: view.id.into(),
            kind: view.kind.as_str().into(),
            node_id: view.node_id,
            status: FrameStatus::from_word(view.status.as_str()).unwrap_or(FrameStatus::Pending),
            parent_frame_id: view.parent_frame_id.map(Into::into),
            scope_id: view.scope_id.into(),
            lineage_id: view.lineage_id.into(),
            parent_lineage_id: view.parent_lineage_id.map(Into::into),
            prior_outcome: view.prior_outcome,
            activated_incoming_edge: view.activated_incoming_edge,
            metadata: view.metadata,
            finished_at_node_id: view.finished_at_node_id,
        }
    }
}

impl From<ScopeView> for RuntimeScope {
    fn from(view: ScopeView) -> Self {
        Self {
            id: view.id.into(),
            workflow_name: view.workflow_name,
            workflow_input: view.workflow_input,
            committed_state: view.committed_state,
            workflow_ref: view.workflow_ref,
        }
    }
}

impl From<LineageView> for LineageState {
    fn from(view: LineageView) -> Self {
        Self {
            id: view.id.into(),
            scope_id: view.scope_id.into(),
            parent_id: view.parent_id.map(Into::into),
            writes: view.writes.into_iter().filter_map(StateWrite::of).collect(),
        }
    }
}

impl StateWrite {
    /// A write as the machine shows it; its path and its reducer are texts there that were read once already.
    fn of(view: WriteView) -> Option<Self> {
        Some(Self {
            path: StatePath::parse(&view.path).ok()?,
            incoming_value: view.incoming_value,
            visible_value: view.visible_value,
            reducer: ReducerRef { capability: view.reducer.parse().ok()?, config: view.config },
        })
    }
}

impl From<TraceEntry> for TraceRecord {
    fn from(entry: TraceEntry) -> Self {
        Self {
            frame_id: entry.frame_id.into(),
            node_id: entry.node_id,
            step_type: entry.step_type.into(),
            resolved_input: entry.resolved_input,
            outcome: entry.outcome,
            next_node_id: entry.next_node_id,
            output: entry.output,
            state_changes: entry.state_changes,
            meta: entry.meta,
            failure: entry.error.and_then(|error| error.to_value().as_object().cloned()),
            started_at: time(entry.started_at),
            finished_at: time(entry.finished_at),
        }
    }
}

impl From<InterruptView> for InterruptRequest {
    fn from(view: InterruptView) -> Self {
        Self {
            id: view.id,
            frame_id: view.frame_id.into(),
            node_id: view.node_id,
            kind: view.kind,
            payload: view.payload,
            resumable: true,
            route: view.route.map(Into::into),
            outcomes: view.outcomes,
            request_schema: view.request_schema,
            resume_schema: view.resume_schema,
            typed: view.typed,
        }
    }
}

impl From<InterruptRoute> for Route {
    fn from(route: InterruptRoute) -> Self {
        Self {
            frame_id: route.frame_id.into(),
            node_id: route.node_id,
            scope_id: route.scope_id.into(),
            lineage_id: route.lineage_id.into(),
            parent_frame_id: route.parent_frame_id.into(),
            workflow_ref: route.workflow_ref,
            steps: route.steps,
        }
    }
}

/// A time as records show it.
pub(super) fn time(millis: u64) -> Value {
    Value::float(seconds(millis)).unwrap_or_default()
}

document_class! {
    /// An execution cursor.
    class PyExecutionFrame("ExecutionFrame", "wf_core.run_state") of ExecutionFrame {
        shown: ["status"],
        fields: [
            id, kind, node_id, parent_frame_id, scope_id, lineage_id, parent_lineage_id, prior_outcome,
            activated_incoming_edge, metadata, finished_at_node_id,
        ],
        methods: {
            /// What it is doing.
            #[getter]
            fn status<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                enums::frame_status(slf.py(), data::<ExecutionFrame>(slf.as_super())?.status.as_str())
            }
        },
    }
}

document_class! {
    /// One activation of a workflow.
    class PyRuntimeScope("RuntimeScope", "wf_core.run_state") of RuntimeScope {
        fields: [id, workflow_name, workflow_input, committed_state, workflow_ref],
    }
}

document_class! {
    /// What a frame wrote that is not committed yet.
    class PyLineageState("LineageState", "wf_core.run_state") of LineageState {
        fields: [id, scope_id, parent_id, writes],
    }
}

document_class! {
    /// One uncommitted write.
    class PyStateWrite("StateWrite", "wf_core.run_state") of StateWrite {
        fields: [path, incoming_value, visible_value, reducer],
    }
}

document_class! {
    /// One executed step.
    class PyTraceEntry("TraceEntry", "wf_core.run_state") of TraceRecord {
        fields: [
            frame_id, node_id, step_type, resolved_input, outcome, next_node_id, output, state_changes, meta,
            started_at, finished_at,
        ],
        methods: {
            /// Why the step failed, if it did: the message, with the rest as attributes.
            #[getter]
            fn error<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
                let failure = data::<TraceRecord>(slf.as_super())?.failure.as_ref();
                failure.map(|failure| enums::run_failure(slf.py(), failure)).transpose()
            }
        },
    }
}

document_class! {
    /// What the execution of a single step gave.
    class PyStepExecutionResult("StepExecutionResult", "wf_core.run_state") of StepExecutionResult {
        fields: [outcome, resolved_input, output, state_changes],
    }
}

document_class! {
    /// A question that waits for an answer.
    class PyInterruptRequest("InterruptRequest", "wf_core.run_state") of InterruptRequest {
        fields: [
            id, frame_id, node_id, kind, payload, resumable, route, outcomes, request_schema, resume_schema, typed,
        ],
    }
}

document_class! {
    /// Where a question of a child workflow comes from.
    class PyInterruptRoute("InterruptRoute", "wf_core.run_state") of Route {
        fields: [frame_id, node_id, scope_id, lineage_id, parent_frame_id, workflow_ref, steps],
    }
}

/// Registers the classes of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PyExecutionFrame>(module, PyExecutionFrame::INFO)?;
    register_class::<PyRuntimeScope>(module, PyRuntimeScope::INFO)?;
    register_class::<PyLineageState>(module, PyLineageState::INFO)?;
    register_class::<PyStateWrite>(module, PyStateWrite::INFO)?;
    register_class::<PyTraceEntry>(module, PyTraceEntry::INFO)?;
    register_class::<PyStepExecutionResult>(module, PyStepExecutionResult::INFO)?;
    register_class::<PyInterruptRequest>(module, PyInterruptRequest::INFO)?;
    register_class::<PyInterruptRoute>(module, PyInterruptRoute::INFO)
}
