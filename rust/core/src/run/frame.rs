//! Frames: the execution cursors of a run.
//!
//! A run keeps every frame it ever created, so what remains of a finished one has to be small: its origin, where it
//! ended, and a status. Everything a frame needs only while it lives is in its [`Live`] part, which goes when the
//! frame finishes.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::plan::index::{ExitIx, OutcomeIx, StepIx};
use crate::state::{PendingPatch, SiblingWrite, StateWrite};
use crate::value::{List, Object, Value};

use super::error::Failure;
use super::event::{CallId, Millis};
use super::machine::FrameStatus;
use super::origin::{FrameIx, Origin};
use super::undo::Undo;

/// One cursor.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) origin: Arc<Origin>,
    pub(crate) status: FrameStatus,
    /// The step it stands at; `None` is `__end__`.
    pub(crate) at: Option<StepIx>,
    /// The step before, and the exit taken there.
    pub(crate) prior: Option<Prior>,
    /// The workflow's outcome, once the root frame of a scope has one.
    pub(crate) outcome: Option<OutcomeIx>,
    pub(crate) live: Option<Box<Live>>,
}

/// The step a frame came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Prior {
    pub(crate) step: StepIx,
    pub(crate) exit: ExitIx,
}

/// What a frame needs while it lives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Live {
    pub(crate) activity: Activity,
    /// Set while the step is done but for a merge by custom reducers.
    pub(crate) merge: Option<Box<Merge>>,
    pub(crate) lineage: Lineage,
    /// How often each step that starts frames was entered; names of frames count from it.
    pub(crate) visits: BTreeMap<StepIx, u32>,
}

/// What a frame has written and nobody around it has seen yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lineage {
    /// The writes as they came in, for the barrier to replay. Used by frames that keep their own state.
    pub(crate) writes: Vec<StateWrite>,
    /// The state as this lineage sees it; `None` until it has written something.
    pub(crate) view: Option<Object>,
    pub(crate) savepoint: Savepoint,
}

/// What takes back the writes of an item of a serial foreach.
#[derive(Clone, Debug, Default)]
pub(crate) struct Savepoint {
    /// What the places held that the item has written, oldest first.
    pub(crate) undo: Vec<Undo>,
    /// How many writes the lineage that keeps the item's held when the item began.
    pub(crate) writes: usize,
}

/// What a frame is in the middle of.
#[derive(Clone, Debug, Default)]
pub(crate) enum Activity {
    /// Nothing: its step has not begun.
    #[default]
    Idle,
    /// A handler is being called.
    Call(Calling),
    /// An attempt failed; the next one is due later.
    Delay { attempt: u32, until: Millis, input: Object },
    /// It runs the items of a foreach.
    Foreach(Box<Foreach>),
    /// It runs the branches of a fork.
    Fork(Box<Fork>),
    /// It runs a child workflow.
    Subgraph { child: FrameIx, input: Object, since: Millis },
    /// It asks, and waits for the answer.
    Ask(Box<Request>),
}

/// A call in flight.
#[derive(Clone, Debug)]
pub(crate) struct Calling {
    pub(crate) call: CallId,
    pub(crate) attempt: u32,
    pub(crate) since: Millis,
    pub(crate) input: Object,
}

/// A step that waits for custom reducers.
#[derive(Clone, Debug)]
pub(crate) struct Merge {
    pub(crate) reduce: CallId,
    /// What to run next.
    pub(crate) pending: PendingPatch,
    /// What was staged, and the results so far: from these two the rest follows, so they are what a snapshot keeps.
    pub(crate) writes: Writes,
    pub(crate) results: Vec<Vec<Value>>,
    pub(crate) done: Done,
}

/// Writes on their way into the state.
#[derive(Clone, Debug)]
pub(crate) enum Writes {
    /// Of one step.
    Step(Vec<StateWrite>),
    /// Of several items or branches.
    Siblings(Vec<SiblingWrite>),
}

/// A step that has answered: where to go and what the trace shall say, once its writes are in.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    pub(crate) step: StepIx,
    pub(crate) way: Way,
    pub(crate) since: Millis,
    pub(crate) input: Object,
    pub(crate) output: Object,
    pub(crate) meta: Object,
    /// The writes are those of several siblings; the trace shows them merged.
    pub(crate) barrier: bool,
    /// The frame goes first afterwards: it has just been answered.
    pub(crate) first: bool,
}

/// How a frame leaves a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// By an exit.
    Exit(ExitIx),
    /// By finishing the frame, with an outcome of the workflow.
    Finish(OutcomeIx),
}

/// A foreach in progress.
#[derive(Clone, Debug)]
pub(crate) struct Foreach {
    pub(crate) step: StepIx,
    pub(crate) visit: u32,
    pub(crate) since: Millis,
    /// The list as it was at entry.
    pub(crate) items: List,
    /// Items started and unfinished, and not waiting for frames of their own or for an answer.
    pub(crate) active: u32,
    /// Items started and unfinished.
    pub(crate) outstanding: u32,
    /// Items that failed.
    pub(crate) failed: u32,
    /// One entry per item started.
    pub(crate) results: Vec<ItemResult>,
    /// The writes of finished items, each item's in one piece, in the order in which the items finished.
    pub(crate) writes: Vec<StateWrite>,
}

/// How an item of a foreach stands.
#[derive(Clone, Debug)]
pub(crate) enum ItemResult {
    /// It runs in this frame.
    Running(FrameIx),
    /// It is done; its writes are this stretch of the foreach's.
    Done { from: usize, count: usize },
    /// It failed, and the foreach goes on without it.
    Failed(Arc<FrameFailure>),
}

/// A fork in progress.
#[derive(Clone, Debug)]
pub(crate) struct Fork {
    pub(crate) step: StepIx,
    pub(crate) visit: u32,
    pub(crate) since: Millis,
    pub(crate) branches: Vec<BranchResult>,
    /// Enough branches have arrived, or none is left to wait for.
    pub(crate) settled: bool,
}

/// How a branch of a fork stands.
#[derive(Clone, Debug)]
pub(crate) enum BranchResult {
    /// It runs in this frame.
    Running(FrameIx),
    /// It reached the gather, or an end; the outcome is what an end step named.
    Arrived { writes: Vec<StateWrite>, outcome: Option<OutcomeIx> },
    /// It failed, and the fork goes on without it.
    Failed(Arc<FrameFailure>),
    /// It was not waited for.
    Cancelled,
}

/// A failure and where it happened.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FrameFailure {
    pub(crate) failure: Failure,
    /// The frame whose step failed, perhaps deeper than the item or branch that bears the failure; `None` when the run
    /// failed as a whole.
    pub(crate) frame: Option<FrameIx>,
    pub(crate) step: Option<StepIx>,
}

/// A question to somebody outside. What it promises stays as it was when it was asked, even when the run is resumed
/// against a document whose interrupt step has been edited.
#[derive(Clone, Debug)]
#[expect(clippy::struct_field_names, reason = "`request_schema` is the word of the documents")]
pub(crate) struct Request {
    pub(crate) id: Arc<str>,
    pub(crate) kind: Arc<str>,
    pub(crate) payload: Object,
    pub(crate) outcomes: Vec<Arc<str>>,
    pub(crate) request_schema: Object,
    pub(crate) resume_schema: Object,
    pub(crate) typed: bool,
}

impl Frame {
    /// A frame that is about to begin.
    pub(crate) fn new(origin: Arc<Origin>, at: Option<StepIx>, live: Box<Live>) -> Self {
        Self { origin, status: FrameStatus::Pending, at, prior: None, outcome: None, live: Some(live) }
    }

    /// Whether the frame has nothing more to do.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.status, FrameStatus::Completed | FrameStatus::Failed | FrameStatus::Cancelled)
    }
}
