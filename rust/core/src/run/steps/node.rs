//! A node: builds its payload, has its handler called, and takes in what it returned.
//!
//! Attempts are counted here. A call that failed is tried again when the step's policy (else its contract's) says so;
//! the payload stays the one of the first attempt. What a handler returned is checked before anything takes effect:
//! a wrong outcome or output fails the step and leaves no trace of itself in the state.

use crate::document::NodeResult;
use crate::plan::{NodePlan, Plan};
use crate::run::error::{CallError, Failure, Step, codes};
use crate::run::frame::{Activity, Calling, Done, Way, Writes};
use crate::run::origin::FrameIx;
use crate::run::{Machine, Queued, retry};
use crate::value::Object;

use super::At;

impl Machine {
    /// Asks for the call.
    pub(super) fn enter_node(&mut self, at: At<'_>, node: &NodePlan) -> Step<()> {
        let delayed = std::mem::take(&mut self.live_mut(at.frame).activity);
        let (attempt, input) = if let Activity::Delay { attempt, input, .. } = delayed {
            (attempt, input)
        } else {
            (1, self.node_payload(at, node)?)
        };
        let call = self.in_flight.open(at.frame);
        let calling = Calling { call, attempt, since: self.now, input };
        self.live_mut(at.frame).activity = Activity::Call(calling);
        self.effects.push_back(Queued::Call(call));
        Ok(())
    }

    fn node_payload(&self, at: At<'_>, node: &NodePlan) -> Step<Object> {
        let id = &at.step.id;
        let label = format_args!("node '{id}' input");
        let input = self.with_view(at.plan, at.frame, |view| node.input.build(view, label))?;
        let contract = &at.plan.workflow(self.frame(at.frame).origin.workflow).contracts[node.def as usize];
        contract
            .input_schema
            .check_object(&input, format_args!("node input for {id}"))
            .map_err(|error| Failure::of_payload(codes::NODE_INPUT_INVALID, &error))?;
        Ok(input)
    }

    /// The handler returned.
    pub(in crate::run) fn node_returned(&mut self, plan: &Plan, frame: FrameIx, calling: Calling, result: NodeResult) {
        let Calling { call, attempt, since, input } = calling;
        let stood_at = self.frame(frame).at;
        if let Err(mut failure) = self.take_result(plan, frame, since, input.clone(), result) {
            // What fails after the frame has moved on (the output of the whole run) is not this call's failure.
            if self.frame(frame).at != stood_at {
                return self.fail(plan, frame, *failure, Object::new(), self.now);
            }
            failure.attempt = attempt;
            failure.call = Some(call);
            self.fail(plan, frame, *failure, input, since);
        }
    }

    fn take_result(&mut self, plan: &Plan, frame: FrameIx, since: u64, input: Object, result: NodeResult) -> Step<()> {
        let origin = &self.frame(frame).origin;
        let workflow = plan.workflow(origin.workflow);
        let Some((index, step, node)) = self.frame(frame).at.and_then(|index| {
            let step = workflow.step(index);
            Some((index, step, step.as_node()?))
        }) else {
            return Err(Box::new(Failure::new(codes::MACHINE_TRANSITION, "frame of a call stands at no node")));
        };
        let NodeResult { outcome, output, meta, .. } = result;
        let Some(exit) = step.exit(&outcome) else {
            let message = format!("node '{}' returned undeclared outcome '{outcome}'", step.id);
            return Err(Box::new(Failure::new(codes::NODE_UNDECLARED_OUTCOME, message)));
        };
        workflow.contracts[node.def as usize]
            .output_schema
            .check_object(&output, format_args!("node output for {}", step.id))
            .map_err(|error| Failure::of_payload(codes::NODE_OUTPUT_INVALID, &error))?;
        let writes = node.writes.writes(&output).map_err(|missing| {
            let message = format!("node output did not include required field '{}'", missing.path);
            Failure::new(codes::NODE_OUTPUT_MISSING, message).at(missing.path)
        })?;
        Self::way_out(plan, origin, index, exit)?;
        let way = Way::Exit(exit);
        let done = Done { step: index, way, since, input, output, meta, barrier: false, first: false };
        self.commit(plan, frame, Writes::Step(writes), done)
    }

    /// The handler took too long.
    pub(in crate::run) fn node_timed_out(&mut self, plan: &Plan, frame: FrameIx, calling: Calling) {
        let message = self.step_at(plan, frame).map_or_else(String::new, |step| {
            let limit = step.as_node().and_then(|node| node.timeout).unwrap_or_default();
            format!("node '{}' took longer than {} s", step.id, limit.as_secs_f64())
        });
        let error = CallError::new(retry::TIMEOUT_TYPE, message);
        self.node_raised(plan, frame, calling, &error, codes::CALL_TIMEOUT);
    }

    /// The handler raised: another attempt, or the step fails.
    pub(in crate::run) fn node_raised(
        &mut self,
        plan: &Plan,
        frame: FrameIx,
        calling: Calling,
        error: &CallError,
        code: &'static str,
    ) {
        let Calling { call, attempt, since, input } = calling;
        let policy = self.step_at(plan, frame).and_then(|step| step.as_node()?.retry.as_ref());
        let Some(policy) = policy.filter(|policy| retry::grants(policy, attempt, error)) else {
            return self.fail(plan, frame, Failure::of_call(code, error, call, attempt), input, since);
        };
        let until = self.now.saturating_add(retry::delay(policy, attempt, self.options.seed, call));
        self.live_mut(frame).activity = Activity::Delay { attempt: attempt.saturating_add(1), until, input };
        if until > self.now {
            self.timers.insert((until, frame));
        } else {
            self.queue_again(frame);
        }
    }
}
