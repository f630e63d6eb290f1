//! What happens when a frame stands at a step: one file per step type.
//!
//! Each of them either completes the step (and the frame goes on), or puts the frame into the middle of something it
//! has to wait for: a call, frames of its own, an answer. A frame that waited for frames of its own is woken by them
//! and comes here again.

mod condition;
mod end;
mod foreach;
mod fork;
mod gather;
mod interrupt;
mod join;
mod node;
mod subgraph;

use crate::plan::index::StepIx;
use crate::plan::{Plan, StepKind, StepPlan};

use super::Machine;
use super::error::Step;
use super::origin::FrameIx;

/// A frame at a step: what every step type starts from.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) plan: &'a Plan,
    pub(super) frame: FrameIx,
    pub(super) index: StepIx,
    pub(super) step: &'a StepPlan,
}

impl Machine {
    /// Executes the step a frame stands at, or goes on with it.
    pub(super) fn step(&mut self, plan: &Plan, frame: FrameIx) -> Step<()> {
        // A frame at `__end__` has been there before: the run's output was no good, and the run is retried.
        let Some(index) = self.frame(frame).at else { return self.finish(plan, frame, None) };
        let step = plan.workflow(self.frame(frame).origin.workflow).step(index);
        let at = At { plan, frame, index, step };
        match &step.kind {
            StepKind::Node(node) => self.enter_node(at, node),
            StepKind::Condition(condition) => self.decide(at, condition),
            StepKind::Join => self.join(at),
            StepKind::End(outcome) => self.end(at, *outcome),
            StepKind::Interrupt(interrupt) => self.ask(at, interrupt),
            StepKind::Subgraph(subgraph) => self.visit_subgraph(at, subgraph),
            StepKind::Foreach(foreach) => self.visit_foreach(at, foreach),
            StepKind::Fork(fork) => self.visit_fork(at, fork),
            StepKind::Gather(gather) => self.arrive(at, gather),
        }
    }
}
