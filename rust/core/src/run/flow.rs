//! Where statuses change and cursors move.
//!
//! [`Machine::turn_frame`] and [`Machine::turn_run`] are the only functions that assign a status. Everything below
//! them is in terms of what happens to a cursor: it gets its turn, goes on, waits for frames it started, finishes.

use std::sync::Arc;

use crate::plan::index::{ExitIx, Next, OutcomeIx, StepIx, WorkflowIx};
use crate::plan::{Plan, StepKind};
use crate::value::Object;

use super::error::{Failure, Step, codes};
use super::frame::{Activity, BranchResult, Foreach, Fork, Frame, ItemResult, Live, Prior};
use super::machine::{FRAME_LOOKUP, FRAME_TABLE, FrameStatus, FrameTrigger, RUN_LOOKUP, RUN_TABLE, RunTrigger};
use super::origin::{Birth, FrameIx, Keeper, Origin, ScopeIx};
use super::{Machine, RunStatus, Scope};

impl Machine {
    /// Changes the status of a frame the way the table says.
    pub(super) fn turn_frame(&mut self, frame: FrameIx, trigger: FrameTrigger) -> Step<()> {
        let from = self.frame(frame).status;
        let Some(row) = FRAME_LOOKUP.arrow(from as usize, trigger as usize) else {
            return Err(no_transition("frame", from.as_str(), trigger.as_str()).into());
        };
        self.walked.frames |= 1 << row;
        self.frame_mut(frame).status = FRAME_TABLE[row].2;
        Ok(())
    }

    /// Changes the status of the run the way the table says.
    pub(super) fn turn_run(&mut self, trigger: RunTrigger) -> Step<()> {
        let Some(row) = RUN_LOOKUP.arrow(self.status as usize, trigger as usize) else {
            return Err(no_transition("run", self.status.as_str(), trigger.as_str()).into());
        };
        self.walked.run |= 1 << row;
        self.status = RUN_TABLE[row].2;
        let over = matches!(self.status, RunStatus::Completed | RunStatus::Failed | RunStatus::Cancelled);
        self.finished_at = over.then_some(self.now);
        Ok(())
    }

    /// Starts the scope of a workflow and its root frame, which is not queued yet.
    pub(super) fn open_scope(
        &mut self,
        plan: &Plan,
        workflow: WorkflowIx,
        parent: Option<FrameIx>,
        birth: Birth,
        input: Object,
        state: Object,
    ) -> Step<FrameIx> {
        let scope = ScopeIx::next(self.scopes.len());
        let start = plan.workflow(workflow).start;
        let root = self.open_frame(parent, scope, workflow, |_| Keeper::Scope, birth, Some(start))?;
        self.scopes.push(Scope { workflow, root, input, state, dropped: false });
        Ok(root)
    }

    /// Starts a frame, which is not queued yet.
    pub(super) fn open_frame(
        &mut self,
        parent: Option<FrameIx>,
        scope: ScopeIx,
        workflow: WorkflowIx,
        keeper: impl FnOnce(FrameIx) -> Keeper,
        birth: Birth,
        at: Option<StepIx>,
    ) -> Step<FrameIx> {
        if self.frames.len() >= u32::MAX as usize {
            return Err(Box::new(Failure::new(codes::RUN_TOO_LARGE, "run has too many frames")));
        }
        let frame = FrameIx::next(self.frames.len());
        let parent = parent.map(|parent| Arc::clone(&self.frame(parent).origin));
        let origin = Origin { parent, frame, scope, workflow, keeper: keeper(frame), birth };
        let live = self.spare.take().unwrap_or_default();
        self.frames.push(Frame::new(Arc::new(origin), at, live));
        Ok(frame)
    }

    /// Queues a frame that waits for its turn.
    pub(super) fn queue(&mut self, frame: FrameIx) {
        self.ready.push_back(frame);
    }

    /// Where an exit leads. Asked before anything of a step takes effect, so that a step whose outcome leads nowhere
    /// has done nothing.
    pub(super) fn way_out(plan: &Plan, origin: &Origin, step: StepIx, exit: ExitIx) -> Step<Next> {
        let step = plan.workflow(origin.workflow).step(step);
        let exit = &step.exits[exit.at()];
        exit.next.ok_or_else(|| {
            let message = format!("no edge found for node '{}' and outcome '{}'", step.id, exit.outcome);
            Box::new(Failure::new(codes::EDGE_MISSING, message))
        })
    }

    /// Moves a frame on by an exit of a step; a frame that goes `first` has its next turn before any other.
    pub(super) fn advance(&mut self, plan: &Plan, frame: FrameIx, step: StepIx, exit: ExitIx, first: bool) -> Step<()> {
        let next = Self::way_out(plan, &self.frame(frame).origin, step, exit)?;
        let cursor = self.frame_mut(frame);
        cursor.prior = Some(Prior { step, exit });
        let Next::Step(next) = next else { return self.finish(plan, frame, None) };
        cursor.at = Some(next);
        let asks = matches!(plan.workflow(cursor.origin.workflow).step(next).kind, StepKind::Interrupt(_));
        self.turn_frame(frame, FrameTrigger::Advance)?;
        // A frame that is about to ask goes first too: nothing else may start between reaching a question and asking it.
        if asks || first {
            self.ready.push_front(frame);
        } else {
            self.ready.push_back(frame);
        }
        Ok(())
    }

    /// A frame has reached an end; `outcome` is what an end step named.
    pub(super) fn finish(&mut self, plan: &Plan, frame: FrameIx, outcome: Option<OutcomeIx>) -> Step<()> {
        let cursor = self.frame_mut(frame);
        cursor.at = None;
        let origin = Arc::clone(&cursor.origin);
        match origin.birth {
            Birth::Root | Birth::Subgraph { .. } => {
                let ok = plan.workflow(origin.workflow).ok_outcome;
                let Some(outcome) = cursor.outcome.or(outcome).or(ok) else {
                    return Err(Box::new(Failure::new(
                        codes::EDGE_MISSING,
                        "workflow has no outcome 'ok' to end with",
                    )));
                };
                cursor.outcome = Some(outcome);
                if let Some(parent) = &origin.parent {
                    self.turn_frame(frame, FrameTrigger::Complete)?;
                    self.retire(frame);
                    self.wake(parent.frame)
                } else {
                    self.finish_run(plan, frame, outcome)
                }
            }
            Birth::Item { index, .. } => self.item_done(&origin, index),
            Birth::Branch { branch, .. } => self.branch_arrived(plan, &origin, branch, outcome),
        }
    }

    /// The root frame has reached its end: the run completes when its output is good.
    fn finish_run(&mut self, plan: &Plan, frame: FrameIx, outcome: OutcomeIx) -> Step<()> {
        let workflow = plan.workflow(WorkflowIx(0));
        let output =
            self.with_view(plan, frame, |view| workflow.projection.project(view)).map_err(Failure::of_projection)?;
        workflow
            .output_schema
            .check_object(&output, "workflow output")
            .map_err(|error| Failure::of_payload(codes::OUTPUT_INVALID, &error))?;
        self.turn_frame(frame, FrameTrigger::Complete)?;
        self.retire(frame);
        self.turn_run(RunTrigger::Finish)?;
        self.outcome = Some(outcome);
        self.output = output;
        Ok(())
    }

    /// Drops what a finished frame does not need any more.
    pub(super) fn retire(&mut self, frame: FrameIx) {
        if let Some(mut live) = self.frame_mut(frame).live.take() {
            live.reset();
            self.spare = Some(live);
        }
    }

    /// Gives a blocked frame another turn; one that is queued already needs no second place in the queue.
    pub(super) fn wake(&mut self, frame: FrameIx) -> Step<()> {
        if self.frame(frame).status == FrameStatus::Blocked {
            self.turn_frame(frame, FrameTrigger::Wake)?;
            self.ready.push_back(frame);
        }
        Ok(())
    }

    /// A frame starts to wait for frames of its own, or for an answer. The foreach it is an item of can use its place
    /// among the active ones.
    pub(super) fn begin_waiting(&mut self, plan: &Plan, frame: FrameIx) -> Step<()> {
        let origin = Arc::clone(&self.frame(frame).origin);
        if let (Birth::Item { .. }, Some(parent)) = (&origin.birth, &origin.parent) {
            let foreach = self.foreach_mut(parent.frame)?;
            foreach.active = foreach.active.saturating_sub(1);
            if self.foreach_can_admit(plan, parent.frame)? {
                self.wake(parent.frame)?;
            }
        }
        Ok(())
    }

    /// A frame has stopped waiting. It goes on at once, even if that makes one more active item than the limit for a
    /// while: making it wait for a place could make it wait for an item that waits for it.
    pub(super) fn end_waiting(&mut self, frame: FrameIx) -> Step<()> {
        let origin = Arc::clone(&self.frame(frame).origin);
        if let (Birth::Item { .. }, Some(parent)) = (&origin.birth, &origin.parent) {
            self.foreach_mut(parent.frame)?.active += 1;
        }
        Ok(())
    }

    /// The foreach a frame is in the middle of.
    pub(super) fn foreach_mut(&mut self, frame: FrameIx) -> Step<&mut Foreach> {
        match &mut self.live_mut(frame).activity {
            Activity::Foreach(foreach) => Ok(foreach),
            _ => Err(Box::new(Failure::new(codes::MACHINE_TRANSITION, "frame is not in the middle of a foreach"))),
        }
    }

    /// The fork a frame is in the middle of.
    pub(super) fn fork_mut(&mut self, frame: FrameIx) -> Step<&mut Fork> {
        match &mut self.live_mut(frame).activity {
            Activity::Fork(fork) => Ok(fork),
            _ => Err(Box::new(Failure::new(codes::MACHINE_TRANSITION, "frame is not in the middle of a fork"))),
        }
    }

    /// The unfinished frames that a frame has started.
    pub(super) fn children(&self, frame: FrameIx) -> Vec<FrameIx> {
        let Some(live) = self.frame(frame).live.as_deref() else { return Vec::new() };
        match &live.activity {
            Activity::Foreach(foreach) => foreach.results.iter().filter_map(ItemResult::running).collect(),
            Activity::Fork(fork) => fork.branches.iter().filter_map(BranchResult::running).collect(),
            Activity::Subgraph { child, .. } => vec![*child],
            _ => Vec::new(),
        }
    }

    /// Counts a visit of a step that starts frames; ids of frames tell visits apart by it.
    pub(super) fn count_visit(&mut self, frame: FrameIx, step: StepIx) -> u32 {
        let visits = self.live_mut(frame).visits.entry(step).or_insert(0);
        *visits = visits.saturating_add(1);
        *visits
    }
}

#[cold]
fn no_transition(what: &str, from: &str, trigger: &str) -> Failure {
    Failure::new(codes::MACHINE_TRANSITION, format!("a {from} {what} has no transition '{trigger}'"))
}

impl Live {
    /// Makes the part fit for another frame; buffers keep their room.
    fn reset(&mut self) {
        self.activity = Activity::Idle;
        self.lineage.writes.clear();
        self.lineage.view = None;
        self.lineage.savepoint.undo.clear();
        self.lineage.savepoint.writes = 0;
        self.merge = None;
        self.visits.clear();
    }
}

impl ItemResult {
    /// The frame of an item that is not done.
    pub(super) fn running(&self) -> Option<FrameIx> {
        if let Self::Running(frame) = self { Some(*frame) } else { None }
    }
}

impl BranchResult {
    /// The frame of a branch that is not done.
    pub(super) fn running(&self) -> Option<FrameIx> {
        if let Self::Running(frame) = self { Some(*frame) } else { None }
    }
}
