//! A gather: where the branches of a fork arrive. The forking frame goes on from here (see `fork`).

use std::sync::Arc;

use crate::plan::GatherPlan;
use crate::run::Machine;
use crate::run::error::{Failure, Step, codes};
use crate::run::origin::Birth;

use super::At;

impl Machine {
    pub(super) fn arrive(&mut self, at: At<'_>, gather: &GatherPlan) -> Step<()> {
        let origin = Arc::clone(&self.frame(at.frame).origin);
        if let Birth::Branch { step, branch, .. } = origin.birth
            && step == gather.fork
        {
            return self.branch_arrived(at.plan, &origin, branch, None);
        }
        let fork = &at.plan.workflow(origin.workflow).step(gather.fork).id;
        let message = format!("gather '{}' was reached by a frame that is no branch of fork '{fork}'", at.step.id);
        Err(Box::new(Failure::new(codes::GATHER_OUTSIDE_FORK, message)))
    }
}
