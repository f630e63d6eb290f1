//! A join: a place where edges meet. It waits for nothing.

use crate::plan::index::ExitIx;
use crate::run::Machine;
use crate::run::error::Step;

use super::At;

impl Machine {
    pub(super) fn join(&mut self, at: At<'_>) -> Step<()> {
        self.pass(at.plan, at.frame, at.index, ExitIx(0))
    }
}
