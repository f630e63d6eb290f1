//! What conditions read.

use super::bindings::Undeclared;
use super::place::Place;
use super::{IssueCode, Validator, repr};
use crate::document::{Condition, Operand};
use crate::path::GraphSourcePath;

impl Validator<'_> {
    /// Checks the paths in a condition; its depth has been limited when it was read.
    pub(super) fn condition(&mut self, condition: &Condition, place: &Place<'_>) {
        match condition {
            Condition::Exists(path) => self.condition_path(path, place, "condition"),
            Condition::Not(arg) => self.condition(arg, &place.field("arg")),
            Condition::And(args) | Condition::Or(args) => {
                let list = place.field("args");
                if args.is_empty() {
                    self.error(IssueCode::EmptyConditionArgs, &list, "condition args must not be empty", None);
                }
                for (index, arg) in args.iter().enumerate() {
                    self.condition(arg, &list.item(index));
                }
            }
            Condition::Compare { left, right, .. } => {
                for (operand, name) in [(left, "left"), (right, "right")] {
                    if let Operand::Path(path) = operand {
                        self.condition_path(path, &place.field(name), "operand");
                    }
                }
            }
        }
    }

    fn condition_path(&mut self, path: &GraphSourcePath, place: &Place<'_>, what: &str) {
        if let Some(Undeclared { hint }) = self.undeclared(path) {
            let message = format!("invalid {what} path {}", repr(&path.to_string()));
            self.error(IssueCode::InvalidConditionPath, place, message, hint);
        }
    }
}
