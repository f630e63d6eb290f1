//! Reading a run: its status, results and records. Nothing here changes anything; names are rendered on demand.

use std::sync::Arc;

use crate::document::WorkflowRef;
use crate::plan::index::WorkflowIx;
use crate::plan::{Plan, end_name};
use crate::state::StateWrite;
use crate::value::{Object, Value};

use super::effect::frame_metadata;
use super::error::RunFailure;
use super::event::Millis;
use super::frame::{Activity, Frame, FrameFailure, Request};
use super::machine::{FrameStatus, Walked};
use super::origin::{Birth, FrameIx, Keeper, Names, ScopeIx};
use super::trace::Trace;
use super::{Machine, Run, RunStatus};

/// What kind of frame a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// The root of the run.
    Workflow,
    /// An item of a foreach.
    ForeachIteration,
    /// The root of a child workflow.
    SubgraphRoot,
    /// A branch of a fork.
    ForkBranch,
}

impl FrameKind {
    /// The word for it in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Workflow => "workflow",
            Self::ForeachIteration => "foreach_iteration",
            Self::SubgraphRoot => "subgraph_root",
            Self::ForkBranch => "fork_branch",
        }
    }
}

/// An execution cursor.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameView {
    /// Its id.
    pub id: String,
    /// What kind it is.
    pub kind: FrameKind,
    /// The step it stands at; `__end__` when it has reached its end.
    pub node_id: Arc<str>,
    /// What it is doing.
    pub status: FrameStatus,
    /// The frame that started it.
    pub parent_frame_id: Option<String>,
    /// Its scope.
    pub scope_id: String,
    /// Its lineage.
    pub lineage_id: String,
    /// The lineage around it.
    pub parent_lineage_id: Option<String>,
    /// The outcome of the step before.
    pub prior_outcome: Option<Arc<str>>,
    /// The id of the step before.
    pub activated_incoming_edge: Option<Arc<str>>,
    /// What else is known: its loop, its outcome, its error.
    pub metadata: Object,
    /// Where it ended.
    pub finished_at_node_id: Option<Arc<str>>,
}

/// One activation of a workflow.
#[derive(Clone, Debug, PartialEq)]
pub struct ScopeView {
    /// Its id.
    pub id: String,
    /// The name of its workflow.
    pub workflow_name: Arc<str>,
    /// The input of the workflow.
    pub workflow_input: Object,
    /// What was committed to its state.
    pub committed_state: Object,
    /// By which the workflow was referred to; `None` for the root.
    pub workflow_ref: Option<WorkflowRef>,
}

/// What a frame wrote that is not committed yet.
#[derive(Clone, Debug, PartialEq)]
pub struct LineageView {
    /// Its id.
    pub id: String,
    /// Its scope.
    pub scope_id: String,
    /// The lineage around it.
    pub parent_id: Option<String>,
    /// The writes in order.
    pub writes: Vec<WriteView>,
}

/// One uncommitted write.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteView {
    /// The place, as `state.a.b`.
    pub path: Arc<str>,
    /// The value that came in.
    pub incoming_value: Value,
    /// What the lineage sees at the place now.
    pub visible_value: Value,
    /// The name of the reducer.
    pub reducer: Arc<str>,
    /// Its configuration.
    pub config: Object,
}

/// A question that waits for an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct InterruptView {
    /// Its id, unique within the run.
    pub id: Arc<str>,
    /// The frame that asks; for a question of a child workflow, the frame of the outermost subgraph step.
    pub frame_id: String,
    /// The step; for a question of a child workflow, the outermost subgraph step.
    pub node_id: Arc<str>,
    /// What kind of answer is wanted.
    pub kind: Arc<str>,
    /// The question.
    pub payload: Object,
    /// The way to the frame that really asks; `None` when it is in the root scope.
    pub route: Option<InterruptRoute>,
    /// The outcomes an answer may choose.
    pub outcomes: Vec<Arc<str>>,
    /// The schema the question met.
    pub request_schema: Object,
    /// The schema the answer has to meet.
    pub resume_schema: Object,
    /// Whether the author gave a schema.
    pub typed: bool,
}

/// Where a question of a child workflow comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct InterruptRoute {
    /// The frame that asks.
    pub frame_id: String,
    /// The interrupt step.
    pub node_id: Arc<str>,
    /// Its scope.
    pub scope_id: String,
    /// Its lineage.
    pub lineage_id: String,
    /// The frame of the subgraph step around it.
    pub parent_frame_id: String,
    /// The workflow that asks.
    pub workflow_ref: Option<WorkflowRef>,
    /// The subgraph steps from the root down, and the interrupt step.
    pub steps: Vec<Arc<str>>,
}

impl Run {
    /// The plan.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// The hash of the plan.
    pub fn plan_hash(&self) -> &str {
        self.plan.hash()
    }

    /// The run's id.
    pub fn id(&self) -> &Arc<str> {
        &self.machine.options.run_id
    }

    /// What the run is doing.
    pub fn status(&self) -> RunStatus {
        self.machine.status
    }

    /// How the workflow ended, once it has.
    pub fn outcome(&self) -> Option<&Arc<str>> {
        self.machine.outcome.map(|outcome| self.plan.workflow(WorkflowIx(0)).outcome(outcome))
    }

    /// What the workflow gave, once it has ended.
    pub fn output(&self) -> &Object {
        &self.machine.output
    }

    /// The input of the workflow.
    pub fn input(&self) -> &Object {
        &self.machine.input
    }

    /// The committed state of the workflow: without what unfinished items and branches have written.
    pub fn state(&self) -> Object {
        self.machine.committed_state(ScopeIx::ROOT)
    }

    /// Why the run failed, if it did.
    pub fn error(&self) -> Option<RunFailure> {
        self.machine.failure.as_deref().map(|failure| self.describe(failure))
    }

    /// Why the run was cancelled, if it was.
    pub fn cancel_reason(&self) -> Option<&Arc<str>> {
        self.machine.cancel_reason.as_ref()
    }

    /// When the run started.
    pub fn started_at(&self) -> Millis {
        self.machine.started_at
    }

    /// When the run completed, failed or was cancelled.
    pub fn finished_at(&self) -> Option<Millis> {
        self.machine.finished_at
    }

    /// The time of the last event.
    pub fn now(&self) -> Millis {
        self.machine.now
    }

    /// How many steps were completed.
    pub fn steps(&self) -> u64 {
        self.machine.steps
    }

    /// How many calls and merges are in flight.
    pub fn in_flight(&self) -> usize {
        self.machine.in_flight.len()
    }

    /// What was executed.
    pub fn trace(&self) -> Trace<'_> {
        Trace(self)
    }

    /// The transitions the run has walked since it was started or restored.
    pub fn walked(&self) -> Walked {
        self.machine.walked
    }

    /// Every frame, in order of creation.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = FrameView> {
        self.machine.frames.iter().map(|frame| self.frame_view(frame))
    }

    /// Every scope, in order of creation.
    pub fn scopes(&self) -> impl Iterator<Item = ScopeView> {
        let scopes = (0_u32..).map(ScopeIx).zip(&self.machine.scopes);
        scopes.filter(|(_, scope)| !scope.dropped).map(|(index, scope)| {
            let workflow = self.plan.workflow(scope.workflow);
            ScopeView {
                id: self.machine.frame(scope.root).origin.names(&self.plan).scope,
                workflow_name: Arc::clone(&workflow.document().name),
                workflow_input: scope.input.clone(),
                committed_state: self.machine.committed_state(index),
                workflow_ref: workflow.reference().cloned(),
            }
        })
    }

    /// The lineages of frames that are not over, and the root lineage of every scope.
    pub fn lineages(&self) -> impl Iterator<Item = LineageView> {
        let frames = self.machine.frames.iter();
        frames
            .filter(|frame| !frame.is_over() || matches!(frame.origin.birth, Birth::Root | Birth::Subgraph { .. }))
            .map(|frame| self.lineage_view(frame))
    }

    /// The frames whose turn comes next, in order.
    pub fn ready(&self) -> impl Iterator<Item = String> {
        let ready = self.machine.ready.iter().map(|frame| self.machine.frame(*frame));
        ready.filter(|frame| frame.status == FrameStatus::Pending).map(|frame| frame.origin.names(&self.plan).frame)
    }

    /// The question that waits for an answer; `None` unless the run is interrupted.
    pub fn interrupt(&self) -> Option<InterruptView> {
        let asking = self.machine.asking.filter(|_| self.machine.status == RunStatus::Interrupted)?;
        let frame = self.machine.frame(asking);
        let Activity::Ask(request) = &frame.live.as_deref()?.activity else { return None };
        Some(self.interrupt_view(frame, request))
    }

    pub(super) fn describe(&self, failure: &FrameFailure) -> RunFailure {
        RunFailure {
            failure: failure.failure.clone(),
            node_id: failure.frame.map(|_| self.machine.failed_step(&self.plan, failure)),
            frame_id: failure.frame.map(|frame| self.machine.frame(frame).origin.names(&self.plan).frame),
        }
    }

    fn frame_view(&self, frame: &Frame) -> FrameView {
        let origin = &frame.origin;
        let workflow = self.plan.workflow(origin.workflow);
        let Names { frame: id, scope, lineage, parent_lineage } = origin.names(&self.plan);
        let node_id = frame.at.map_or_else(end_name, |step| Arc::clone(&workflow.step(step).id));
        let mut metadata = frame_metadata(&self.plan, origin);
        if let Some(outcome) = frame.outcome {
            metadata.insert("workflow_outcome", Arc::clone(workflow.outcome(outcome)));
        }
        if let Some(failure) = self.machine.failures.get(&origin.frame) {
            metadata.insert("error", Arc::clone(&failure.failure.message));
            metadata.insert("error_type", Arc::clone(&failure.failure.error_type));
            metadata.insert("failed_at_node_id", self.machine.failed_step(&self.plan, failure));
        }
        FrameView {
            id,
            kind: match origin.birth {
                Birth::Root => FrameKind::Workflow,
                Birth::Item { .. } => FrameKind::ForeachIteration,
                Birth::Subgraph { .. } => FrameKind::SubgraphRoot,
                Birth::Branch { .. } => FrameKind::ForkBranch,
            },
            finished_at_node_id: (frame.status == FrameStatus::Completed).then(|| Arc::clone(&node_id)),
            node_id,
            status: frame.status,
            parent_frame_id: origin.parent.as_ref().map(|parent| parent.names(&self.plan).frame),
            scope_id: scope,
            lineage_id: lineage,
            parent_lineage_id: parent_lineage,
            prior_outcome: frame.prior.map(|prior| Arc::clone(workflow.step(prior.step).outcome(prior.exit))),
            activated_incoming_edge: frame.prior.map(|prior| Arc::clone(&workflow.step(prior.step).id)),
            metadata,
        }
    }

    fn lineage_view(&self, frame: &Frame) -> LineageView {
        let names = frame.origin.names(&self.plan);
        let own = frame.origin.keeper == Keeper::Lineage(frame.origin.frame);
        let live = frame.live.as_deref().filter(|_| own);
        let writes = live.map_or(&[][..], |live| &live.lineage.writes);
        let seen = live.and_then(|live| live.lineage.view.as_ref());
        LineageView {
            id: names.lineage,
            scope_id: names.scope,
            parent_id: names.parent_lineage,
            writes: writes.iter().map(|write| write_view(write, seen)).collect(),
        }
    }

    fn interrupt_view(&self, frame: &Frame, request: &Request) -> InterruptView {
        let node = |frame: &Frame| {
            let workflow = self.plan.workflow(frame.origin.workflow);
            frame.at.map_or_else(end_name, |step| Arc::clone(&workflow.step(step).id))
        };
        let names = frame.origin.names(&self.plan);
        // The subgraph frames around it, outermost first; each was started by the frame that stands at the boundary.
        let chain = frame.origin.chain();
        let boundaries: Vec<&Frame> = chain
            .iter()
            .filter(|origin| matches!(origin.birth, Birth::Subgraph { .. }))
            .filter_map(|origin| origin.parent.as_ref().map(|parent| self.machine.frame(parent.frame)))
            .collect();
        let public = boundaries.first().copied().unwrap_or(frame);
        let route = boundaries.last().map(|nearest| InterruptRoute {
            frame_id: names.frame.clone(),
            node_id: node(frame),
            scope_id: names.scope.clone(),
            lineage_id: names.lineage.clone(),
            parent_frame_id: nearest.origin.names(&self.plan).frame,
            workflow_ref: self.plan.workflow(frame.origin.workflow).reference().cloned(),
            steps: boundaries.iter().map(|boundary| node(boundary)).chain([node(frame)]).collect(),
        });
        InterruptView {
            id: Arc::clone(&request.id),
            frame_id: public.origin.names(&self.plan).frame,
            node_id: node(public),
            kind: Arc::clone(&request.kind),
            payload: request.payload.clone(),
            route,
            outcomes: request.outcomes.clone(),
            request_schema: request.request_schema.clone(),
            resume_schema: request.resume_schema.clone(),
            typed: request.typed,
        }
    }
}

impl Machine {
    /// The id of the step that failed.
    pub(super) fn failed_step(&self, plan: &Plan, failure: &FrameFailure) -> Arc<str> {
        let frame = self.frame(failure.frame.unwrap_or(FrameIx::ROOT));
        let workflow = plan.workflow(frame.origin.workflow);
        failure.step.map_or_else(end_name, |step| Arc::clone(&workflow.step(step).id))
    }
}

fn write_view(write: &StateWrite, seen: Option<&Object>) -> WriteView {
    let reducer = write.target.reducer();
    let visible = seen.and_then(|state| write.target.read(state)).unwrap_or(&write.incoming);
    WriteView {
        path: Arc::clone(write.target.text()),
        incoming_value: write.incoming.clone(),
        visible_value: visible.clone(),
        reducer: reducer.name().into(),
        config: match reducer {
            crate::reducer::Reducer::Custom(custom) => custom.config.clone(),
            crate::reducer::Reducer::Builtin(_) => Object::new(),
        },
    }
}
