//! The run: a state machine that says what to do next and is told what happened.
//!
//! # How to read this folder
//!
//! | file | holds |
//! |---|---|
//! | `machine` | the transitions of runs and frames, as two tables |
//! | `apply` | the way in: every event passes through [`Run::apply`], then the machine runs until it has to wait |
//! | `flow` | the one place where a frame or the run changes its status, and where cursors move |
//! | `steps/…` | one file per step type: what happens when a frame stands at it |
//! | `lineage`, `commit`, `undo` | who sees which state, how writes get in, and how they are taken back |
//! | `failure` | who bears a failure, and what is dropped because of it |
//! | `frame`, `origin`, `in_flight`, `trace` | the records a run is made of |
//! | `event`, `effect`, `error`, `view` | what goes in, what comes out, and what can be read |
//! | `snapshot/…` | a run as JSON and back |
//!
//! # Who owns what
//!
//! The machine owns frames, order, state, counting of attempts, and the trace. A driver owns calling handlers,
//! overlapping them, the clock, and keeping the events. It loops: [`poll`](Run::poll) until nothing new is handed
//! out, do what was handed out, and report each result with [`resolve`](Run::resolve).

mod apply;
mod commit;
mod context;
mod effect;
mod error;
mod event;
mod failure;
mod flow;
mod frame;
mod in_flight;
mod lineage;
mod machine;
mod origin;
mod retry;
mod snapshot;
mod steps;
mod trace;
mod undo;
mod view;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use crate::plan::index::{OutcomeIx, WorkflowIx};
use crate::plan::{Plan, StepPlan};
use crate::value::{Object, Value};

pub use effect::{Call, CallContext, Effect, Fold, Reduce};
pub use error::{CallError, Failure, RunError, RunFailure, codes};
pub use event::{CallId, CallResult, Event, Millis, ReduceId, StartOptions};
pub use machine::{Arrow, FRAME_TABLE, FrameStatus, FrameTrigger, RUN_TABLE, RunStatus, RunTrigger, Walked, drawing};
pub use snapshot::SnapshotError;
pub use trace::{Trace, TraceEntry};
pub use view::{FrameKind, FrameView, InterruptRoute, InterruptView, LineageView, ScopeView, WriteView};

use frame::{Frame, FrameFailure, Live};
use in_flight::InFlight;
use origin::{FrameIx, ScopeIx};
use trace::Record;

/// One execution of a [`Plan`].
///
/// Its methods come in three kinds: *events* that report what happened outside ([`resolve`](Self::resolve),
/// [`resume`](Self::resume), [`cancel`](Self::cancel), …; all go through [`apply`](Self::apply)),
/// [`poll`](Self::poll) that says what to do next, and views that change nothing.
#[derive(Clone, Debug)]
pub struct Run {
    plan: Arc<Plan>,
    machine: Machine,
}

/// Everything that changes during a run. Apart from [`Run`], so that its methods can borrow the plan beside it.
#[derive(Clone, Debug)]
struct Machine {
    options: StartOptions,
    status: RunStatus,
    now: Millis,
    started_at: Millis,
    finished_at: Option<Millis>,
    /// How many steps were completed.
    steps: u64,
    input: Object,
    outcome: Option<OutcomeIx>,
    output: Object,
    /// Why the run failed.
    failure: Option<Arc<FrameFailure>>,
    /// Why the run was cancelled.
    cancel_reason: Option<Arc<str>>,
    frames: Vec<Frame>,
    scopes: Vec<Scope>,
    /// Frames whose turn comes next, first in, first out. May hold frames that were dropped since; they are passed over.
    ready: VecDeque<FrameIx>,
    in_flight: InFlight,
    /// What a driver has not picked up yet. Not part of a snapshot: it follows from what is in flight.
    effects: VecDeque<Queued>,
    /// Due times of failed attempts that will be tried again.
    timers: BTreeSet<(Millis, FrameIx)>,
    /// The frame that asks. While there is one, no frame is selected.
    asking: Option<FrameIx>,
    /// How often each interrupt id was given out.
    interrupt_ids: BTreeMap<Arc<str>, u32>,
    /// Why frames failed, for those that did.
    failures: BTreeMap<FrameIx, Arc<FrameFailure>>,
    trace: Vec<Record>,
    walked: Walked,
    /// The live part of a frame that has finished, kept to save the next frame an allocation.
    spare: Option<Box<Live>>,
    /// Frames wait for ticks. Not part of a snapshot: it is about who drives, not about the run.
    held: bool,
}

/// One activation of a workflow: its input, and what was committed to its state.
#[derive(Clone, Debug)]
struct Scope {
    workflow: WorkflowIx,
    root: FrameIx,
    input: Object,
    state: Object,
    /// The frame that started it was dropped, and its state with it.
    dropped: bool,
}

/// An effect that waits to be picked up.
#[derive(Clone, Copy, Debug)]
enum Queued {
    Call(CallId),
    Reduce(CallId),
    Cancel(CallId),
}

impl Run {
    /// Starts a run. Whatever is wrong with the input ends as a failed run.
    pub fn start(plan: Arc<Plan>, input: Object, options: StartOptions) -> Self {
        let mut machine = Machine::new(&options);
        machine.start(&plan, input, options);
        Self { plan, machine }
    }

    /// Starts a run that is [held](Self::hold): its first step waits for a tick.
    pub fn start_held(plan: Arc<Plan>, input: Object, options: StartOptions) -> Self {
        let mut machine = Machine::new(&options);
        machine.held = true;
        machine.start(&plan, input, options);
        Self { plan, machine }
    }

    /// Makes the run go step by step: from here on a tick gives one frame one turn, and nothing else gives any.
    pub fn hold(&mut self) {
        self.machine.held = true;
    }

    /// Takes back a [hold](Self::hold).
    pub fn let_go(&mut self) {
        self.machine.held = false;
    }

    /// Whether a tick would give a frame a turn now, whatever the time.
    pub fn has_turn(&self) -> bool {
        self.machine.has_turn()
    }

    /// Reports how a call ended.
    ///
    /// # Errors
    ///
    /// Refuses a call that is not in flight, and any call while the run is not running.
    pub fn resolve(&mut self, call: CallId, result: CallResult, now: Millis) -> Result<(), RunError> {
        self.apply(Event::Resolve { call, result, now })
    }

    /// Reports the values that custom reducers merged, one per fold.
    ///
    /// # Errors
    ///
    /// Refuses a merge that is not in flight, or the wrong number of values.
    pub fn resolve_reduce(
        &mut self,
        reduce: ReduceId,
        merged: Vec<Result<Value, CallError>>,
        now: Millis,
    ) -> Result<(), RunError> {
        self.apply(Event::ResolveReduce { reduce, merged, now })
    }

    /// Answers the interrupt.
    ///
    /// # Errors
    ///
    /// Refuses an answer to another interrupt, an outcome it does not declare, and a payload that does not meet its
    /// schema; the run stays interrupted and can be resumed.
    pub fn resume(
        &mut self,
        interrupt: Option<&str>,
        outcome: impl Into<Arc<str>>,
        payload: Object,
        now: Millis,
    ) -> Result<(), RunError> {
        self.apply(Event::Resume { interrupt: interrupt.map(Arc::from), outcome: outcome.into(), payload, now })
    }

    /// Stops the run for good.
    ///
    /// # Errors
    ///
    /// Refuses a run that has completed, failed or was cancelled.
    pub fn cancel(&mut self, reason: impl Into<Arc<str>>, now: Millis) -> Result<(), RunError> {
        self.apply(Event::Cancel { reason: reason.into(), now })
    }

    /// Tries again from the failed frame; calls that were in flight are asked for again under the same ids.
    ///
    /// # Errors
    ///
    /// Refuses a run that has not failed.
    pub fn retry(&mut self, now: Millis) -> Result<(), RunError> {
        self.apply(Event::Retry { now })
    }

    /// Tells the time: due retries start, a missed deadline fails the run.
    ///
    /// # Errors
    ///
    /// Refuses a run that is neither running nor interrupted.
    pub fn tick(&mut self, now: Millis) -> Result<(), RunError> {
        self.apply(Event::Tick { now })
    }
}

impl Machine {
    fn new(options: &StartOptions) -> Self {
        Self {
            options: options.clone(),
            status: RunStatus::Pending,
            now: options.now,
            started_at: options.now,
            finished_at: None,
            steps: 0,
            input: Object::new(),
            outcome: None,
            output: Object::new(),
            failure: None,
            cancel_reason: None,
            frames: Vec::new(),
            scopes: Vec::new(),
            ready: VecDeque::new(),
            in_flight: InFlight::starting_at(1),
            effects: VecDeque::new(),
            timers: BTreeSet::new(),
            asking: None,
            interrupt_ids: BTreeMap::new(),
            failures: BTreeMap::new(),
            trace: Vec::new(),
            walked: Walked::default(),
            spare: None,
            held: false,
        }
    }

    fn frame(&self, frame: FrameIx) -> &Frame {
        &self.frames[frame.at()]
    }

    fn frame_mut(&mut self, frame: FrameIx) -> &mut Frame {
        &mut self.frames[frame.at()]
    }

    /// The live part of a frame that is not over.
    fn live(&self, frame: FrameIx) -> &Live {
        self.frame(frame).live.as_deref().expect("a frame has its live part until it is over")
    }

    fn live_mut(&mut self, frame: FrameIx) -> &mut Live {
        self.frame_mut(frame).live.as_deref_mut().expect("a frame has its live part until it is over")
    }

    /// The step a frame stands at.
    fn step_at<'p>(&self, plan: &'p Plan, frame: FrameIx) -> Option<&'p StepPlan> {
        let frame = self.frame(frame);
        Some(plan.workflow(frame.origin.workflow).step(frame.at?))
    }

    fn scope(&self, scope: ScopeIx) -> &Scope {
        &self.scopes[scope.at()]
    }

    fn scope_mut(&mut self, scope: ScopeIx) -> &mut Scope {
        &mut self.scopes[scope.at()]
    }
}
