//! The way in: every event passes through here, and the machine then runs until it has to wait.
//!
//! An event is first checked against the run; one that does not fit is refused and has changed nothing. Then the clock
//! moves, the event takes effect, and frames take their turns until none is ready. So what a run does depends on its
//! events and their order, and never on when or how often a driver polls.

use std::sync::Arc;

use crate::plan::Plan;
use crate::plan::index::WorkflowIx;
use crate::value::{Object, Value};

use super::effect::{Call, CallContext, Effect, Reduce};
use super::error::{CallError, Failure, RunError, Step, codes};
use super::event::{CallId, CallResult, Event, Millis, StartOptions};
use super::frame::Activity;
use super::machine::{FrameStatus, FrameTrigger, RunTrigger};
use super::origin::{Birth, FrameIx};
use super::{Machine, Queued, Run, RunStatus};

/// How many steps the machine takes on one event at most. A cycle of steps that never call anything would otherwise
/// keep it from ever answering; like this a driver can cancel such a run.
const STEPS_PER_EVENT: u32 = 100_000;

impl Run {
    /// Applies an event: the one way in which a run changes.
    ///
    /// # Errors
    ///
    /// The event does not fit; the run is what it was before.
    pub fn apply(&mut self, event: Event) -> Result<(), RunError> {
        let Self { plan, machine } = self;
        let now = event.now();
        let turns = match event {
            _ if !machine.held => STEPS_PER_EVENT,
            Event::Tick { .. } => 1,
            _ => 0,
        };
        match event {
            Event::Start { .. } => return Err(RunError::AlreadyStarted),
            Event::Resolve { call, result, .. } => {
                let frame = machine.check_call(call)?;
                machine.pass_time(now);
                machine.resolve(plan, frame, result);
            }
            Event::ResolveReduce { reduce, merged, .. } => {
                let frame = machine.check_reduce(reduce, merged.len())?;
                machine.pass_time(now);
                machine.resolve_reduce(plan, frame, merged);
            }
            Event::Resume { interrupt, outcome, payload, .. } => {
                let answer = machine.check_answer(plan, interrupt.as_ref(), &outcome, payload)?;
                machine.pass_time(now);
                machine.resume(plan, answer);
            }
            Event::Cancel { reason, .. } => {
                machine.check_alive(RunError::Finished)?;
                machine.pass_time(now);
                machine.cancel(reason);
            }
            Event::Retry { .. } => {
                machine.check_failed()?;
                machine.pass_time(now);
                machine.retry(plan);
            }
            Event::Tick { .. } => {
                machine.check_alive(RunError::NotRunning)?;
                machine.pass_time(now);
            }
        }
        machine.settle(plan, turns);
        Ok(())
    }

    /// What to do next. Hands out each call, merge and cancellation once; changes nothing else.
    pub fn poll(&mut self) -> Effect {
        let Self { plan, machine } = self;
        while let Some(queued) = machine.effects.pop_front() {
            // What was dropped before anybody saw it is passed over.
            let effect = match queued {
                Queued::Call(call) => machine.hand_out_call(plan, call),
                Queued::Reduce(reduce) => machine.hand_out_reduce(reduce),
                Queued::Cancel(call) => Some(Effect::Cancel(call)),
            };
            if let Some(effect) = effect {
                return effect;
            }
        }
        machine.standing()
    }
}

impl Machine {
    fn check_alive(&self, refuse: fn(RunStatus) -> RunError) -> Result<(), RunError> {
        match self.status {
            RunStatus::Running | RunStatus::Interrupted => Ok(()),
            status => Err(refuse(status)),
        }
    }

    fn check_failed(&self) -> Result<(), RunError> {
        if self.status == RunStatus::Failed { Ok(()) } else { Err(RunError::NotFailed(self.status)) }
    }

    fn check_call(&mut self, call: CallId) -> Result<FrameIx, RunError> {
        if self.status != RunStatus::Running {
            return Err(RunError::NotRunning(self.status));
        }
        let frame = self.in_flight.frame(call).ok_or(RunError::UnknownCall(call))?;
        match self.live(frame).activity {
            Activity::Call(_) => Ok(frame),
            _ => Err(RunError::UnknownCall(call)),
        }
    }

    fn check_reduce(&mut self, reduce: CallId, got: usize) -> Result<FrameIx, RunError> {
        if self.status != RunStatus::Running {
            return Err(RunError::NotRunning(self.status));
        }
        let frame = self.in_flight.frame(reduce).ok_or(RunError::UnknownReduce(reduce))?;
        let merge = self.live(frame).merge.as_ref().ok_or(RunError::UnknownReduce(reduce))?;
        let expected = merge.pending.folds().len();
        if got == expected { Ok(frame) } else { Err(RunError::WrongFoldCount { id: reduce, expected, got }) }
    }

    /// The clock never goes back, whatever a driver's clock does.
    fn pass_time(&mut self, now: Millis) {
        self.now = self.now.max(now);
        while let Some((until, frame)) = self.timers.first().copied()
            && until <= self.now
        {
            self.timers.remove(&(until, frame));
            self.queue_again(frame);
        }
    }

    /// Queues a frame whose failed attempt is to be repeated now.
    pub(super) fn queue_again(&mut self, frame: FrameIx) {
        match self.turn_frame(frame, FrameTrigger::Advance) {
            Ok(()) => self.queue(frame),
            Err(fault) => self.fail_as_a_whole(*fault),
        }
    }

    pub(super) fn start(&mut self, plan: &Plan, input: Object, options: StartOptions) {
        self.now = options.now;
        self.started_at = options.now;
        self.options = options;
        self.input = input;
        let begun = self.begin(plan).and_then(|root| {
            self.turn_run(RunTrigger::Begin)?;
            self.queue(root);
            Ok(())
        });
        if let Err(failure) = begun {
            self.fail_as_a_whole(*failure);
        }
        self.settle(plan, if self.held { 0 } else { STEPS_PER_EVENT });
    }

    /// Checks the input and lays out the state for the root frame.
    fn begin(&mut self, plan: &Plan) -> Step<FrameIx> {
        let workflow = plan.workflow(WorkflowIx(0));
        workflow
            .input_schema
            .check_object(&self.input, "workflow input")
            .map_err(|error| Failure::of_payload(codes::INPUT_INVALID, &error))?;
        let state = workflow.layout.initial_state(&self.input)?;
        self.open_scope(plan, WorkflowIx(0), None, Birth::Root, self.input.clone(), state)
    }

    fn resolve_reduce(&mut self, plan: &Plan, frame: FrameIx, merged: Vec<Result<Value, CallError>>) {
        let since = self.live(frame).merge.as_ref().map_or(self.now, |merge| merge.done.since);
        if let Err(failure) = self.reduced(plan, frame, merged) {
            self.fail(plan, frame, *failure, Object::new(), since);
        }
    }

    fn resolve(&mut self, plan: &Plan, frame: FrameIx, result: CallResult) {
        let live = self.live_mut(frame);
        let Activity::Call(calling) = std::mem::take(&mut live.activity) else { return };
        self.in_flight.close(calling.call);
        match result {
            CallResult::Returned(result) => self.node_returned(plan, frame, calling, result),
            CallResult::Failed(error) => self.node_raised(plan, frame, calling, &error, codes::CALL_FAILED),
            CallResult::TimedOut => self.node_timed_out(plan, frame, calling),
            CallResult::Cancelled => {
                // Nobody can say that only this item was meant: cancellation is never an item's error.
                let reason = self
                    .step_at(plan, frame)
                    .map_or_else(String::new, |step| format!("the call of node '{}' was cancelled", step.id));
                self.cancel(reason.into());
            }
        }
    }

    fn cancel(&mut self, reason: Arc<str>) {
        let outcome = self.cancel_subtree(FrameIx::ROOT).and_then(|()| self.turn_run(RunTrigger::Cancel));
        match outcome {
            Ok(()) => {
                self.cancel_reason = Some(reason);
                self.ready.clear();
            }
            Err(fault) => self.fail_as_a_whole(*fault),
        }
    }

    /// Goes on from the failed frame, or from the start when the run never got that far.
    fn retry(&mut self, plan: &Plan) {
        let failed = self.failure.take().and_then(|failure| failure.frame);
        let outcome = self.turn_run(RunTrigger::Retry).and_then(|()| {
            self.effects.clear();
            for call in self.in_flight.recall() {
                self.ask_again(call);
            }
            if self.frames.is_empty() {
                let root = self.begin(plan)?;
                self.queue(root);
            }
            if let Some(frame) = failed {
                self.failures.remove(&frame);
                self.turn_frame(frame, FrameTrigger::Retry)?;
                self.ready.push_front(frame);
            }
            Ok(())
        });
        if let Err(failure) = outcome {
            self.fail_as_a_whole(*failure);
        }
    }

    /// Puts the effect for something in flight back into the queue.
    pub(super) fn ask_again(&mut self, call: CallId) {
        let Some(frame) = self.in_flight.frame(call) else { return };
        let queued = if self.live(frame).merge.is_some() { Queued::Reduce(call) } else { Queued::Call(call) };
        self.effects.push_back(queued);
    }

    /// Lets frames take so many turns, or fewer when none is ready, a question is asked, or the run is over.
    fn settle(&mut self, plan: &Plan, mut turns: u32) {
        if self.missed_deadline() {
            self.fail_as_a_whole(Failure::new(codes::RUN_DEADLINE, "run missed its deadline"));
        }
        while turns > 0 && self.status == RunStatus::Running && self.asking.is_none() {
            let Some(frame) = self.ready.pop_front() else { break };
            if self.frame(frame).status != FrameStatus::Pending {
                continue; // It was dropped while it waited.
            }
            if self.options.max_steps.is_some_and(|most| self.steps >= most) {
                self.ready.push_front(frame);
                let message = format!("run completed its {} steps without reaching an end", self.steps);
                return self.fail_as_a_whole(Failure::new(codes::RUN_STEP_BUDGET, message));
            }
            self.take_turn(plan, frame);
            turns -= 1;
        }
        self.rest();
    }

    fn take_turn(&mut self, plan: &Plan, frame: FrameIx) {
        let turn = self.turn_frame(frame, FrameTrigger::Select).and_then(|()| self.step(plan, frame));
        if let Err(failure) = turn {
            self.fail(plan, frame, *failure, Object::new(), self.now);
        }
    }

    /// What is left to do when nothing moves any more: pause for a question, or notice that nothing ever will move.
    fn rest(&mut self) {
        if self.status != RunStatus::Running || self.in_flight.len() > 0 {
            return;
        }
        if self.asking.is_some() {
            if let Err(fault) = self.turn_run(RunTrigger::Pause) {
                self.fail_as_a_whole(*fault);
            }
        } else if self.ready.is_empty() && self.timers.is_empty() {
            let message = "run has no ready frames and is deadlocked";
            self.fail_as_a_whole(Failure::new(codes::RUN_DEADLOCK, message));
        }
    }

    fn missed_deadline(&self) -> bool {
        let alive = matches!(self.status, RunStatus::Running | RunStatus::Interrupted);
        alive && self.options.deadline.is_some_and(|deadline| self.now >= deadline)
    }

    fn hand_out_call(&mut self, plan: &Arc<Plan>, call: CallId) -> Option<Effect> {
        let frame = self.in_flight.hand_out(call)?;
        let cursor = self.frame(frame);
        let Activity::Call(calling) = &self.live(frame).activity else { return None };
        let step = cursor.at?;
        let node = plan.workflow(cursor.origin.workflow).step(step).as_node()?;
        let context = CallContext {
            plan: Arc::clone(plan),
            origin: Arc::clone(&cursor.origin),
            run_id: Arc::clone(&self.options.run_id),
            call,
            step,
            prior: cursor.prior,
            attempt: calling.attempt,
        };
        Some(Effect::Call(Call {
            id: call,
            workflow: cursor.origin.workflow.0,
            node_def: node.def,
            input: calling.input.clone(),
            context,
            attempt: calling.attempt,
            timeout: node.timeout,
        }))
    }

    fn hand_out_reduce(&mut self, reduce: CallId) -> Option<Effect> {
        let frame = self.in_flight.hand_out(reduce)?;
        let merge = self.live(frame).merge.as_ref()?;
        let workflow = self.frame(frame).origin.workflow;
        let folds = Self::folds(merge);
        Some(Effect::Reduce(Reduce { id: reduce, workflow: workflow.0, folds }))
    }

    /// How the run stands when there is nothing to hand out.
    fn standing(&self) -> Effect {
        match self.status {
            RunStatus::Completed => Effect::Finished,
            RunStatus::Failed => Effect::Failed,
            RunStatus::Cancelled => Effect::Cancelled,
            RunStatus::Interrupted => Effect::Interrupted,
            RunStatus::Pending | RunStatus::Running => {
                let next_timer = self.next_timer();
                match (self.in_flight.len(), next_timer) {
                    (0, Some(until)) => Effect::Wait { until },
                    (in_flight, next_timer) => Effect::Idle { in_flight, next_timer },
                }
            }
        }
    }

    pub(super) fn has_turn(&self) -> bool {
        self.status == RunStatus::Running && self.asking.is_none() && !self.ready.is_empty()
    }

    /// When the driver has to send a tick, whatever else happens.
    fn next_timer(&self) -> Option<Millis> {
        if !self.held && self.has_turn() {
            return Some(self.now); // The machine stopped for breath.
        }
        let due = self.timers.first().map(|(until, _)| *until);
        due.into_iter().chain(self.options.deadline).min()
    }
}
