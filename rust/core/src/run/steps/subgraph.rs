//! A subgraph: runs a child workflow in a scope of its own.
//!
//! The child has its own input and state and sees nothing of its parent's. When it has ended, its outcome has to be
//! one that the step declares, before anything of its output reaches the parent.

use crate::plan::SubgraphPlan;
use crate::run::Machine;
use crate::run::error::{Failure, Step, codes};
use crate::run::frame::{Activity, Done, Way, Writes};
use crate::run::machine::{FrameStatus, FrameTrigger};
use crate::run::origin::{Birth, FrameIx};
use crate::value::Object;

use super::At;

impl Machine {
    pub(super) fn visit_subgraph(&mut self, at: At<'_>, subgraph: &SubgraphPlan) -> Step<()> {
        let Activity::Subgraph { child, input, since } = &self.live(at.frame).activity else {
            return self.start_child(at, subgraph);
        };
        let (child, input, since) = (*child, input.clone(), *since);
        if self.frame(child).status == FrameStatus::Completed {
            self.child_done(at, subgraph, child, input, since)
        } else {
            self.turn_frame(at.frame, FrameTrigger::Block)
        }
    }

    fn start_child(&mut self, at: At<'_>, subgraph: &SubgraphPlan) -> Step<()> {
        let id = &at.step.id;
        let child = at.plan.workflow(subgraph.child);
        let label = format_args!("subgraph '{id}'");
        let input = self.with_view(at.plan, at.frame, |view| subgraph.input.build(view, label))?;
        let invalid = |error| Failure::of_payload(codes::SUBGRAPH_INPUT_INVALID, &error);
        subgraph.input_schema.check_object(&input, format_args!("subgraph input for {id}")).map_err(invalid)?;
        child.input_schema.check_object(&input, format_args!("child workflow input for {id}")).map_err(invalid)?;
        let state = child.layout.initial_state(&input)?;
        let visit = self.count_visit(at.frame, at.index);
        let birth = Birth::Subgraph { step: at.index, visit };
        let root = self.open_scope(at.plan, subgraph.child, Some(at.frame), birth, input.clone(), state)?;
        self.begin_waiting(at.plan, at.frame)?;
        self.live_mut(at.frame).activity = Activity::Subgraph { child: root, input, since: self.now };
        self.turn_frame(at.frame, FrameTrigger::Block)?;
        self.queue(root);
        Ok(())
    }

    fn child_done(
        &mut self,
        at: At<'_>,
        subgraph: &SubgraphPlan,
        child: FrameIx,
        input: Object,
        since: u64,
    ) -> Step<()> {
        let id = &at.step.id;
        let workflow = at.plan.workflow(subgraph.child);
        let Some(outcome) = self.frame(child).outcome else {
            return Err(Box::new(Failure::new(codes::MACHINE_TRANSITION, "child workflow ended without an outcome")));
        };
        let Some(exit) = subgraph.exit_of_outcome[outcome.at()] else {
            let outcome = workflow.outcome(outcome);
            let message = format!("subgraph '{id}' ended with undeclared outcome '{outcome}'");
            return Err(Box::new(Failure::new(codes::SUBGRAPH_UNDECLARED_OUTCOME, message)));
        };
        Self::way_out(at.plan, &self.frame(at.frame).origin, at.index, exit)?;
        let output =
            self.with_view(at.plan, child, |view| workflow.projection.project(view)).map_err(Failure::of_projection)?;
        let invalid = |error| Failure::of_payload(codes::SUBGRAPH_OUTPUT_INVALID, &error);
        workflow
            .output_schema
            .check_object(&output, format_args!("child workflow output for {id}"))
            .map_err(invalid)?;
        subgraph.output_schema.check_object(&output, format_args!("subgraph output for {id}")).map_err(invalid)?;
        let writes = subgraph.writes.writes(&output).map_err(|missing| {
            let message = format!("subgraph output did not include required field '{}'", missing.path);
            Failure::new(codes::SUBGRAPH_OUTPUT_MISSING, message).at(missing.path)
        })?;
        let way = Way::Exit(exit);
        let meta = Object::new();
        let done = Done { step: at.index, way, since, input, output, meta, barrier: false, first: false };
        self.commit(at.plan, at.frame, Writes::Step(writes), done)
    }
}
