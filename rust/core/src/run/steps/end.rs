//! An end: finishes the frame. For the root frame of a scope it names the workflow's outcome; an item or a branch just
//! ends there.

use crate::plan::index::OutcomeIx;
use crate::run::Machine;
use crate::run::error::Step;
use crate::run::trace::Body;

use super::At;

impl Machine {
    pub(super) fn end(&mut self, at: At<'_>, outcome: OutcomeIx) -> Step<()> {
        self.record(at.frame, Some(at.index), self.now, Body::End(outcome));
        self.finish(at.plan, at.frame, Some(outcome))
    }
}
