//! A condition: chooses between its exits `true` and `false`.

use crate::document::Condition;
use crate::eval::eval_condition;
use crate::plan::index::ExitIx;
use crate::run::Machine;
use crate::run::error::Step;

use super::At;

impl Machine {
    pub(super) fn decide(&mut self, at: At<'_>, condition: &Condition) -> Step<()> {
        let holds = self.with_view(at.plan, at.frame, |view| eval_condition(condition, view))?;
        let exit = ExitIx(u32::from(!holds));
        self.pass(at.plan, at.frame, at.index, exit)
    }
}
