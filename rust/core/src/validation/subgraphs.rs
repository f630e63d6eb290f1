//! Subgraph steps against the workflows they run.

use super::place::Place;
use super::{IssueCode, Validator, repr};
use crate::document::{SubgraphStep, Workflow, WorkflowRef};

/// The child workflows that a caller brings along.
pub trait SubgraphSet {
    /// The workflow that a reference means.
    fn workflow(&self, reference: &WorkflowRef) -> Option<&Workflow>;

    /// The references there are, as text, for hints.
    fn names(&self) -> Vec<String>;
}

impl Validator<'_> {
    /// Checks that the child exists and that its outcomes are those of the step.
    pub(super) fn subgraph(&mut self, step: &SubgraphStep, place: &Place<'_>) {
        let Some(subgraphs) = self.checks.subgraphs else { return };
        let display = step.workflow.to_string();
        let Some(child) = subgraphs.workflow(&step.workflow) else {
            let names = subgraphs.names();
            let names = names.iter().map(String::as_str);
            let hint = self.hints.nearest_or_all("prepared child workflows", &display, names);
            let message = format!("no prepared child workflow registered for {}", repr(&display));
            return self.error(IssueCode::UnknownSubgraph, &place.field("workflow"), message, hint);
        };
        let here = place.field("outcomes");
        for outcome in &child.outcomes {
            if !step.outcomes.contains(outcome) {
                let message = format!(
                    "outcome {} of child workflow {} is not declared by node {}",
                    repr(outcome),
                    repr(&display),
                    repr(&step.id)
                );
                let hint = format!("add {} to the outcomes of {} and an edge for it", repr(outcome), repr(&step.id));
                // No error: the child may never end that way, and the run checks it before anything is committed.
                self.warning(IssueCode::UndeclaredSubgraphOutcome, &here, message, Some(hint));
            }
        }
        for (index, outcome) in step.outcomes.iter().enumerate() {
            if !child.outcomes.contains(outcome) {
                let message = format!("child workflow {} never ends with outcome {}", repr(&display), repr(outcome));
                self.warning(IssueCode::ImpossibleSubgraphOutcome, &here.item(index), message, None);
            }
        }
    }
}
