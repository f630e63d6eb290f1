//! Who bears a failure, and what is dropped because of it.
//!
//! A failure belongs to the nearest item or branch around the failing step whose policy takes it: that item's whole
//! subtree is dropped and its writes vanish, and the foreach or fork goes on without it. Where no policy takes it, the
//! run fails and everything stays where it is, so that a retry can go on from the failed frame.

use std::sync::Arc;

use crate::document::ErrorAction;
use crate::plan::{Plan, StepKind};
use crate::value::Object;

use super::error::{Failure, Step};
use super::event::Millis;
use super::frame::{Activity, BranchResult, FrameFailure, ItemResult};
use super::machine::{FrameTrigger, RunTrigger};
use super::origin::{Birth, FrameIx, Origin};
use super::trace::{Ahead, Body, Record, Wide};
use super::{Machine, Queued};

/// What the trace calls the outcome of a step that failed; the entry's error says why.
const FAILED: &str = "failed";

impl Machine {
    /// A step failed; `input` is the payload it failed with, if it got that far.
    pub(super) fn fail(&mut self, plan: &Plan, frame: FrameIx, failure: Failure, input: Object, since: Millis) {
        let step = self.frame(frame).at;
        let failure = Arc::new(FrameFailure { failure, frame: Some(frame), step });
        let outcome = match self.bearer(plan, frame) {
            Some(bearer) => self.drop_subtree(plan, &bearer, &failure),
            None => self.fail_run(plan, frame, &failure, input, since),
        };
        // Only a damaged run has no transition here; it must not go on.
        if let Err(fault) = outcome {
            let fault = Arc::new(FrameFailure { failure: *fault, frame: Some(frame), step });
            self.stop_with(fault);
        }
    }

    /// The run fails as a whole: not a step, but its input, its deadline or its budget.
    pub(super) fn fail_as_a_whole(&mut self, failure: Failure) {
        self.stop_with(Arc::new(FrameFailure { failure, frame: None, step: None }));
    }

    fn stop_with(&mut self, failure: Arc<FrameFailure>) {
        // A run that is over already keeps its first failure.
        if self.turn_run(RunTrigger::Fail).is_ok() {
            self.failure = Some(failure);
            self.effects.clear();
        }
    }

    /// The nearest item or branch, from `frame` outwards, whose policy takes failures.
    fn bearer(&self, plan: &Plan, frame: FrameIx) -> Option<Arc<Origin>> {
        let mut origin = &self.frame(frame).origin;
        loop {
            let workflow = plan.workflow(origin.workflow);
            let action = match origin.birth {
                Birth::Root | Birth::Subgraph { .. } => ErrorAction::Fail,
                Birth::Item { step, .. } => match &workflow.step(step).kind {
                    StepKind::Foreach(foreach) => foreach.action,
                    _ => ErrorAction::Fail,
                },
                Birth::Branch { step, .. } => match &workflow.step(step).kind {
                    StepKind::Fork(_) => {
                        workflow.gather_of(step).map_or(ErrorAction::Fail, |(_, gather)| gather.action)
                    }
                    _ => ErrorAction::Fail,
                },
            };
            if action != ErrorAction::Fail {
                return Some(Arc::clone(origin));
            }
            origin = origin.parent.as_ref()?;
        }
    }

    fn fail_run(
        &mut self,
        plan: &Plan,
        frame: FrameIx,
        failure: &Arc<FrameFailure>,
        input: Object,
        since: Millis,
    ) -> Step<()> {
        self.turn_frame(frame, FrameTrigger::Fail)?;
        self.forget_attempt(plan, frame)?;
        self.failures.insert(frame, Arc::clone(failure));
        let wide = Wide {
            outcome: FAILED.into(),
            next: Ahead::Here,
            input,
            output: Object::new(),
            changes: Object::new(),
            meta: Object::new(),
            failure: Some(Arc::clone(failure)),
        };
        let body = Body::Wide(Box::new(wide));
        self.trace.push(Record { frame, step: failure.step, since, at: self.now, body });
        self.stop_with(Arc::clone(failure));
        Ok(())
    }

    /// A failed step that calls or asks begins anew when the run is retried. One that has started frames keeps them:
    /// their work is done, and only what follows from it is tried again.
    fn forget_attempt(&mut self, plan: &Plan, frame: FrameIx) -> Step<()> {
        let cursor = self.frame(frame);
        let workflow = plan.workflow(cursor.origin.workflow);
        let redo = cursor
            .at
            .is_some_and(|step| matches!(workflow.step(step).kind, StepKind::Node(_) | StepKind::Interrupt(_)));
        if redo {
            if self.live(frame).activity.is_waiting() {
                self.end_waiting(frame)?;
            }
            self.release(frame);
            self.live_mut(frame).activity = Activity::Idle;
        }
        self.live_mut(frame).merge = None;
        Ok(())
    }

    /// Drops an item or branch with everything below it, and tells the frame that started it.
    fn drop_subtree(&mut self, plan: &Plan, bearer: &Origin, failure: &Arc<FrameFailure>) -> Step<()> {
        let was_waiting = self.live(bearer.frame).activity.is_waiting();
        for frame in self.subtree(bearer.frame) {
            // Two frames failed: the one whose step did, and the item or branch that bears it.
            if Some(frame) == failure.frame || frame == bearer.frame {
                self.failures.insert(frame, Arc::clone(failure));
                self.drop_frame(frame, FrameTrigger::Fail)?;
            } else {
                self.drop_frame(frame, FrameTrigger::Cancel)?;
            }
        }
        let Some(parent) = &bearer.parent else { return Ok(()) };
        match bearer.birth {
            Birth::Item { index, .. } => {
                let foreach = self.foreach_mut(parent.frame)?;
                foreach.results[index as usize] = ItemResult::Failed(Arc::clone(failure));
                foreach.failed += 1;
                foreach.outstanding = foreach.outstanding.saturating_sub(1);
                foreach.active = foreach.active.saturating_sub(u32::from(!was_waiting));
                self.wake(parent.frame)
            }
            Birth::Branch { branch, .. } => {
                let fork = self.fork_mut(parent.frame)?;
                fork.branches[branch as usize] = BranchResult::Failed(Arc::clone(failure));
                self.settle_fork(plan, parent.frame)
            }
            Birth::Root | Birth::Subgraph { .. } => Ok(()),
        }
    }

    /// The unfinished frames from `root` down, newest first: whoever was started later goes first, so that writes are
    /// taken back in the opposite order.
    fn subtree(&self, root: FrameIx) -> Vec<FrameIx> {
        let mut found = vec![root];
        let mut next = 0;
        while let Some(frame) = found.get(next) {
            found.extend(self.children(*frame));
            next += 1;
        }
        found.retain(|frame| !self.frame(*frame).is_over());
        found.sort_unstable_by(|a, b| b.cmp(a));
        found
    }

    /// Ends a frame whose result is not wanted, and whatever it was in the middle of.
    fn drop_frame(&mut self, frame: FrameIx, trigger: FrameTrigger) -> Step<()> {
        self.release(frame);
        self.roll_back(frame);
        let origin = &self.frame(frame).origin;
        if let Birth::Subgraph { .. } = origin.birth {
            let scope = origin.scope;
            let scope = self.scope_mut(scope);
            (scope.dropped, scope.state) = (true, Object::new());
        }
        self.turn_frame(frame, trigger)?;
        self.retire(frame);
        Ok(())
    }

    /// Drops a frame with everything below it, because nobody waits for it any more.
    pub(super) fn cancel_subtree(&mut self, root: FrameIx) -> Step<()> {
        for frame in self.subtree(root) {
            self.drop_frame(frame, FrameTrigger::Cancel)?;
        }
        Ok(())
    }

    /// Lets go of whatever outside a frame it was waiting for: a call, a merge, a timer, an answer.
    fn release(&mut self, frame: FrameIx) {
        let live = self.live(frame);
        let merge = live.merge.as_ref().map(|merge| merge.reduce);
        let mut call = None;
        match &live.activity {
            Activity::Call(calling) => call = Some(calling.call),
            Activity::Delay { until, .. } => {
                let timer = (*until, frame);
                self.timers.remove(&timer);
            }
            Activity::Ask(_) => {
                self.asking.take_if(|asking| *asking == frame);
            }
            Activity::Idle | Activity::Foreach(_) | Activity::Fork(_) | Activity::Subgraph { .. } => {}
        }
        for call in call.into_iter().chain(merge) {
            if self.in_flight.close(call) {
                self.effects.push_back(Queued::Cancel(call));
            }
        }
    }
}

impl Activity {
    /// Whether the frame waits for frames of its own, or for an answer: an item that does is outstanding, not active.
    pub(super) fn is_waiting(&self) -> bool {
        matches!(self, Self::Foreach(_) | Self::Fork(_) | Self::Subgraph { .. } | Self::Ask(_))
    }
}
