//! Which outcomes a step may have.

use crate::document::{ErrorAction, NodeDef, Step};

/// The outcomes that a step declares, in their order; `node_def` is the contract that a node step names.
///
/// An `end` step has none, and neither has a node step without a contract.
pub fn step_outcomes<'w>(step: &'w Step, node_def: Option<&'w NodeDef>) -> Vec<&'w str> {
    let names = |outcomes: &'w [std::sync::Arc<str>]| outcomes.iter().map(AsRef::as_ref).collect();
    match step {
        Step::Node(_) => node_def.map(|node_def| names(&node_def.outcomes)).unwrap_or_default(),
        Step::Subgraph(step) => names(&step.outcomes),
        Step::Condition(_) => vec!["true", "false"],
        Step::Foreach(step) => with_errors(vec!["loop", "done"], step.item_error.action),
        Step::Join(_) => vec!["done"],
        Step::End(_) => Vec::new(),
        Step::Interrupt(step) => names(&step.outcomes),
        Step::Fork(step) => names(&step.branches),
        Step::Gather(step) => with_errors(vec!["done"], step.branch_error.action),
    }
}

/// A policy that tolerates failures has an outcome for them.
fn with_errors(mut outcomes: Vec<&str>, action: ErrorAction) -> Vec<&str> {
    if action != ErrorAction::Fail {
        outcomes.push("completed_with_errors");
    }
    outcomes
}
