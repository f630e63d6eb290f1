//! An interrupt: asks somebody outside, and goes on with the answer.
//!
//! From the moment a frame asks, no frame is selected; calls in flight are still taken in. When the last one is, the
//! run is interrupted. An answer is checked completely before it is accepted, so that a bad one changes nothing.

use std::sync::Arc;

use crate::document::InterruptStep;
use crate::plan::index::{ExitIx, StepIx};
use crate::plan::{InterruptPlan, Plan, StepKind};
use crate::run::error::{Failure, RunError, Step, codes};
use crate::run::frame::{Activity, Done, Request, Way, Writes};
use crate::run::machine::{FrameTrigger, RunTrigger};
use crate::run::origin::{Birth, FrameIx};
use crate::run::trace::{Ahead, Body, Record, Wide};
use crate::run::{Machine, RunStatus};
use crate::schema::CompiledSchema;
use crate::state::StateWrite;
use crate::value::{Object, Value};

use super::At;

/// What the trace calls the outcome of asking.
const ASKED: &str = "interrupt";

/// An answer that has been checked.
#[derive(Debug)]
pub(in crate::run) struct Answer {
    frame: FrameIx,
    step: StepIx,
    exit: ExitIx,
    payload: Object,
    writes: Vec<StateWrite>,
}

impl Machine {
    pub(super) fn ask(&mut self, at: At<'_>, interrupt: &InterruptPlan) -> Step<()> {
        let id = &at.step.id;
        let label = format_args!("interrupt '{id}' request");
        let payload = self.with_view(at.plan, at.frame, |view| interrupt.request.build(view, label))?;
        interrupt
            .request_schema
            .check_object(&payload, format_args!("interrupt request for {id}"))
            .map_err(|error| Failure::of_payload(codes::INTERRUPT_REQUEST_INVALID, &error))?;
        let document = &interrupt.document;
        let request = Request {
            id: self.name_interrupt(at.plan, at.frame, document),
            kind: Arc::clone(&document.kind),
            payload: payload.clone(),
            outcomes: document.outcomes.clone(),
            request_schema: document.request_schema.as_object().clone(),
            resume_schema: document.resume_schema.as_object().clone(),
            typed: document.has_explicit_contract,
        };
        self.begin_waiting(at.plan, at.frame)?;
        self.turn_frame(at.frame, FrameTrigger::Ask)?;
        self.live_mut(at.frame).activity = Activity::Ask(Box::new(request));
        self.asking = Some(at.frame);
        let wide = Wide {
            outcome: ASKED.into(),
            next: Ahead::Here,
            input: payload.clone(),
            output: payload,
            changes: Object::new(),
            meta: Object::new(),
            failure: None,
        };
        let body = Body::Wide(Box::new(wide));
        self.trace.push(Record { frame: at.frame, step: Some(at.index), since: self.now, at: self.now, body });
        Ok(())
    }

    /// An id that no other question of the run has: the step's, or that of the outermost subgraph step around it; with
    /// the way down from there when that one is taken, and a number when that is taken too.
    fn name_interrupt(&mut self, plan: &Plan, frame: FrameIx, document: &InterruptStep) -> Arc<str> {
        let mut way: Vec<&str> = Vec::new();
        let origin = Arc::clone(&self.frame(frame).origin);
        for origin in origin.chain() {
            if let (Birth::Subgraph { step, .. }, Some(parent)) = (&origin.birth, &origin.parent) {
                way.push(&plan.workflow(parent.workflow).step(*step).id);
            }
        }
        way.push(&document.id);
        let short: Arc<str> = format!("interrupt:{}", way[0]).into();
        let long: Arc<str> = format!("interrupt:{}", way.join(":")).into();
        let base = if self.interrupt_ids.contains_key(&short) { long } else { short };
        let count = self.interrupt_ids.get(&base).copied().unwrap_or(0).saturating_add(1);
        self.interrupt_ids.insert(Arc::clone(&base), count);
        if count == 1 { base } else { format!("{base}#{count}").into() }
    }

    /// Checks an answer without changing anything.
    pub(in crate::run) fn check_answer(
        &self,
        plan: &Plan,
        interrupt: Option<&Arc<str>>,
        outcome: &str,
        payload: Object,
    ) -> Result<Answer, RunError> {
        let asking = self.asking.filter(|_| self.status == RunStatus::Interrupted);
        let Some(frame) = asking else { return Err(RunError::NotInterrupted(self.status)) };
        let Activity::Ask(request) = &self.live(frame).activity else {
            return Err(RunError::NotInterrupted(self.status));
        };
        if let Some(got) = interrupt.filter(|id| **id != request.id) {
            return Err(RunError::UnknownInterrupt { waiting: Arc::clone(&request.id), got: Arc::clone(got) });
        }
        self.read_answer(plan, frame, request, outcome, payload).map_err(RunError::BadResume)
    }

    fn read_answer(
        &self,
        plan: &Plan,
        frame: FrameIx,
        request: &Request,
        outcome: &str,
        payload: Object,
    ) -> Step<Answer> {
        let origin = &self.frame(frame).origin;
        let workflow = plan.workflow(origin.workflow);
        let Some((index, step)) = self.frame(frame).at.map(|index| (index, workflow.step(index))) else {
            return Err(Box::new(Failure::new(codes::MACHINE_TRANSITION, "frame that asks stands at no step")));
        };
        let StepKind::Interrupt(interrupt) = &step.kind else {
            let message = format!("interrupted run expected interrupt node, got '{}'", step.type_name());
            return Err(Box::new(Failure::new(codes::MACHINE_TRANSITION, message)));
        };
        let Some(exit) = step.exit(outcome) else {
            let message = format!("interrupt node '{}' does not declare resume outcome '{outcome}'", step.id);
            return Err(Box::new(Failure::new(codes::INTERRUPT_UNDECLARED_OUTCOME, message)));
        };
        check_resume(interrupt, request, &payload, &step.id)?;
        let writes = interrupt.writes.writes(&payload).map_err(|missing| {
            let message = format!("interrupt resume payload is missing required field '{}'", missing.path);
            Failure::new(codes::INTERRUPT_RESUME_MISSING, message).at(missing.path)
        })?;
        Self::way_out(plan, origin, index, exit)?;
        // Staging changes nothing; it shows whether the answer fits the state.
        workflow.layout.stage(self.state_of(frame), writes.clone())?;
        Ok(Answer { frame, step: index, exit, payload, writes })
    }

    /// Goes on with an answer.
    pub(in crate::run) fn resume(&mut self, plan: &Plan, answer: Answer) {
        let Answer { frame, step, exit, payload, writes } = answer;
        self.asking = None;
        let done = Done {
            step,
            way: Way::Exit(exit),
            since: self.now,
            input: payload.clone(),
            output: payload.clone(),
            meta: Object::new(),
            barrier: false,
            first: true,
        };
        let outcome = self
            .turn_run(RunTrigger::Resume)
            .and_then(|()| self.turn_frame(frame, FrameTrigger::Answer))
            .and_then(|()| self.commit(plan, frame, Writes::Step(writes), done));
        if let Err(failure) = outcome {
            self.fail(plan, frame, *failure, payload, self.now);
        }
    }
}

/// Checks the payload against the schema that the request was raised with, even if the document has another by now.
fn check_resume(interrupt: &InterruptPlan, request: &Request, payload: &Object, id: &str) -> Step<()> {
    let label = format_args!("interrupt resume for {id}");
    let invalid = |error| Failure::of_payload(codes::INTERRUPT_RESUME_INVALID, &error);
    if request.resume_schema == *interrupt.document.resume_schema.as_object() {
        interrupt.resume_schema.check_object(payload, label).map_err(invalid)?;
    } else {
        let schema = CompiledSchema::compile(&request.resume_schema)
            .map_err(|error| Failure::new(codes::INTERRUPT_RESUME_INVALID, error.to_string()))?;
        schema.check(&Value::Object(payload.clone()), label).map_err(invalid)?;
    }
    Ok(())
}
