//! A fork: runs a branch per exit, side by side, each with a lineage of its own.
//!
//! The forking frame waits. It goes on from the gather when enough branches have arrived there (or ended early), with
//! their writes committed in declared order. A fork that nobody gathers ends the frame when its last branch has ended.

use std::sync::Arc;

use crate::document::GatherWait;
use crate::plan::index::{ExitIx, Next, OutcomeIx, StepIx};
use crate::plan::{ForkPlan, GatherPlan, Plan, StepKind};
use crate::run::Machine;
use crate::run::error::{Failure, Step, codes};
use crate::run::frame::{Activity, BranchResult, Done, Fork, Way, Writes};
use crate::run::machine::FrameTrigger;
use crate::run::origin::{Birth, FrameIx, Keeper, Origin};
use crate::run::trace::{Body, Record};
use crate::state::SiblingWrite;
use crate::value::{List, Object, Value};

use super::At;
use super::foreach::visit_name;

impl Machine {
    pub(super) fn visit_fork(&mut self, at: At<'_>, plan: &ForkPlan) -> Step<()> {
        if !matches!(self.live(at.frame).activity, Activity::Fork(_)) {
            self.start_fork(at)?;
        }
        if self.fork_mut(at.frame)?.settled {
            self.finish_fork(at, plan)
        } else {
            self.turn_frame(at.frame, FrameTrigger::Block)
        }
    }

    fn start_fork(&mut self, at: At<'_>) -> Step<()> {
        let origin = Arc::clone(&self.frame(at.frame).origin);
        let visit = self.count_visit(at.frame, at.index);
        let mut starts = Vec::with_capacity(at.step.exits.len());
        for (branch, _) in (0_u32..).zip(&at.step.exits) {
            starts.push(Self::way_out(at.plan, &origin, at.index, ExitIx(branch))?);
        }
        self.begin_waiting(at.plan, at.frame)?;
        let mut branches = Vec::with_capacity(starts.len());
        for (branch, start) in (0_u32..).zip(&starts) {
            let start = if let Next::Step(step) = start { Some(*step) } else { None };
            let birth = Birth::Branch { step: at.index, visit, branch };
            let child =
                self.open_frame(Some(at.frame), origin.scope, origin.workflow, Keeper::Lineage, birth, start)?;
            let body = Body::Branch { child };
            self.trace.push(Record { frame: at.frame, step: Some(at.index), since: self.now, at: self.now, body });
            branches.push(BranchResult::Running(child));
        }
        let children: Vec<FrameIx> = branches.iter().filter_map(BranchResult::running).collect();
        let fork = Fork { step: at.index, visit, since: self.now, branches, settled: false };
        self.live_mut(at.frame).activity = Activity::Fork(Box::new(fork));
        for child in children {
            // A branch that leads straight to `__end__` may settle the fork, and with it the branches after it.
            if self.frame(child).is_over() {
                continue;
            }
            if self.frame(child).at.is_none() {
                self.finish(at.plan, child, None)?;
            } else {
                self.queue(child);
            }
        }
        Ok(())
    }

    /// A branch has reached its gather, or an end.
    pub(in crate::run) fn branch_arrived(
        &mut self,
        plan: &Plan,
        origin: &Origin,
        branch: u32,
        outcome: Option<OutcomeIx>,
    ) -> Step<()> {
        self.turn_frame(origin.frame, FrameTrigger::Complete)?;
        let writes = std::mem::take(&mut self.live_mut(origin.frame).lineage.writes);
        self.retire(origin.frame);
        let Some(parent) = &origin.parent else { return Ok(()) };
        let fork = self.fork_mut(parent.frame)?;
        fork.branches[branch as usize] = BranchResult::Arrived { writes, outcome };
        self.settle_fork(plan, parent.frame)
    }

    /// Looks whether a fork has what it waits for; if so, the branches that are still running are cancelled at once, so
    /// that which branches count does not depend on what else is ready.
    pub(in crate::run) fn settle_fork(&mut self, plan: &Plan, frame: FrameIx) -> Step<()> {
        let workflow = plan.workflow(self.frame(frame).origin.workflow);
        let fork = self.fork_mut(frame)?;
        let running: Vec<FrameIx> = fork.branches.iter().filter_map(BranchResult::running).collect();
        let arrived = fork.branches.iter().filter(|branch| matches!(branch, BranchResult::Arrived { .. })).count();
        let enough = match workflow.gather_of(fork.step).map(|(_, gather)| gather.wait) {
            None | Some(GatherWait::All) => false,
            Some(GatherWait::Any) => arrived >= 1,
            Some(GatherWait::Count(count)) => arrived >= count as usize,
        };
        if fork.settled || !(enough || running.is_empty()) {
            return Ok(());
        }
        fork.settled = true;
        for branch in &mut fork.branches {
            if branch.running().is_some() {
                *branch = BranchResult::Cancelled;
            }
        }
        for child in running {
            self.cancel_subtree(child)?;
        }
        self.wake(frame)
    }

    fn finish_fork(&mut self, at: At<'_>, plan: &ForkPlan) -> Step<()> {
        let Activity::Fork(fork) = &self.live(at.frame).activity else { return Ok(()) };
        let workflow = at.plan.workflow(self.frame(at.frame).origin.workflow);
        let failed = fork.branches.iter().any(|branch| matches!(branch, BranchResult::Failed(_)));
        let mut writes = fork.sibling_writes();
        let (step, way) = if let Some((index, gather)) = plan.gather.and_then(|index| gather_at(workflow, index)) {
            let exit = if failed { GatherPlan::WITH_ERRORS } else { GatherPlan::DONE };
            Self::way_out(at.plan, &self.frame(at.frame).origin, index, exit)?;
            if let Some(target) = &gather.collect_to {
                let sibling = u32::try_from(fork.branches.len()).unwrap_or(u32::MAX);
                let incoming = Value::List(self.branch_errors(at, fork));
                writes.push(SiblingWrite { sibling, target: target.clone(), incoming });
            }
            (index, Way::Exit(exit))
        } else {
            let Some(outcome) = fork.named_outcome().or(workflow.ok_outcome) else {
                return Err(Box::new(Failure::new(codes::EDGE_MISSING, "workflow has no outcome 'ok' to end with")));
            };
            (at.index, Way::Finish(outcome))
        };
        let done = Done {
            step,
            way,
            since: fork.since,
            input: summary(fork, at),
            output: Object::new(),
            meta: Object::new(),
            barrier: true,
            first: false,
        };
        self.commit(at.plan, at.frame, Writes::Siblings(writes), done)
    }

    /// The records of failed branches, in declared order.
    fn branch_errors(&self, at: At<'_>, fork: &Fork) -> List {
        let names = self.frame(at.frame).origin.names(at.plan);
        let step = visit_name(&at.step.id, fork.visit);
        let failed = (0_i64..).zip(fork.branches.iter().zip(&at.step.exits));
        failed
            .filter_map(|(index, (result, exit))| {
                let BranchResult::Failed(failure) = result else { return None };
                let mut record = Object::with_capacity(6);
                record.insert("branch", Arc::clone(&exit.outcome));
                record.insert("index", index);
                record.insert("frame_id", format!("{}:{step}:{}", names.frame, exit.outcome));
                self.describe_error(at.plan, failure, &mut record);
                Some(Value::Object(record))
            })
            .collect()
    }
}

fn gather_at(workflow: &crate::plan::WorkflowPlan, index: StepIx) -> Option<(StepIx, &GatherPlan)> {
    if let StepKind::Gather(gather) = &workflow.step(index).kind { Some((index, gather)) } else { None }
}

impl Fork {
    /// The writes of branches that arrived, in declared order.
    fn sibling_writes(&self) -> Vec<SiblingWrite> {
        let mut siblings = Vec::new();
        for (sibling, branch) in (0_u32..).zip(&self.branches) {
            let BranchResult::Arrived { writes, .. } = branch else { continue };
            siblings.extend(writes.iter().map(|write| SiblingWrite {
                sibling,
                target: write.target.clone(),
                incoming: write.incoming.clone(),
            }));
        }
        siblings
    }

    /// The outcome of the first branch, in declared order, whose end step named one.
    fn named_outcome(&self) -> Option<OutcomeIx> {
        self.branches.iter().find_map(|branch| match branch {
            BranchResult::Arrived { outcome, .. } => *outcome,
            _ => None,
        })
    }
}

/// What the trace shows as the input of a gather: which branches arrived, failed, and were not waited for.
fn summary(fork: &Fork, at: At<'_>) -> Object {
    let named = |wanted: fn(&BranchResult) -> bool| -> Value {
        let branches = fork.branches.iter().zip(&at.step.exits);
        let chosen =
            branches.filter(|(branch, _)| wanted(branch)).map(|(_, exit)| Value::from(Arc::clone(&exit.outcome)));
        Value::List(chosen.collect())
    };
    let mut summary = Object::with_capacity(3);
    summary.insert("arrived", named(|branch| matches!(branch, BranchResult::Arrived { .. })));
    summary.insert("failed", named(|branch| matches!(branch, BranchResult::Failed(_))));
    summary.insert("cancelled", named(|branch| matches!(branch, BranchResult::Cancelled)));
    summary
}
