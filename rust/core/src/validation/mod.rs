//! Structural validation: whether the parts of a workflow document fit together.
//!
//! A document that parses has the right shape; here it is checked that what it names exists, that every outcome
//! leads somewhere, that loop bodies and branches keep to their regions. Everything is reported at once, in
//! document order: reducers, node contracts, the output, steps, the start, edges, and then what follows from the graph.
//! The time is linear in the size of the document.

mod bindings;
mod conditions;
mod graph;
mod hints;
mod outcomes;
mod place;
mod regions;
mod report;
mod state;
mod steps;
mod subgraphs;

use std::sync::Arc;

pub use outcomes::step_outcomes;
pub use report::{Issue, IssueCode, Severity, ValidationReport};
pub use subgraphs::SubgraphSet;

use crate::document::{NodeDef, Workflow};
use crate::reducer::ReducerSet;
use graph::Graph;
use place::Place;

/// The id that edges lead to in order to finish; no step may have it.
pub const END: &str = "__end__";

/// An id that no step may have.
pub const START: &str = "__start__";

/// The keys that a frame's context always may have; a loop's alias must be another.
pub const CONTEXT_KEYS: [&str; 8] = [
    "prior_outcome",
    "activated_incoming_edge",
    "scope_id",
    "lineage_id",
    "parent_lineage_id",
    "loop_item",
    "loop_index",
    "foreach",
];

/// What is known beside the document, to be checked against.
#[derive(Clone, Copy, Default)]
pub struct Checks<'a> {
    /// The custom reducers that state fields may name; `None` leaves reducers unchecked.
    pub reducers: Option<&'a dyn ReducerSet>,
    /// The child workflows that subgraph steps may run; `None` leaves them unchecked.
    pub subgraphs: Option<&'a dyn SubgraphSet>,
}

/// Checks how the parts of a workflow fit together.
///
/// ```
/// use wf_core::document::{Document, Workflow};
/// use wf_core::validation::{Checks, validate};
/// use wf_core::value::Value;
///
/// let workflow = Workflow::parse(&Value::parse_json(
///     r#"{"name": "demo", "input_schema": {}, "state_schema": {}, "output_schema": {}, "start": "met",
///         "nodes": [{"id": "meet", "type": "join"}],
///         "edges": [{"from": "meet", "outcome": "done", "to": "__end__"}]}"#,
/// )?)?;
/// let report = validate(&workflow, &Checks::default());
/// assert_eq!(report.render(), "Workflow validation failed:\n- [unknown_start] start: unknown start node 'met'");
/// assert_eq!(report.issues[0].hint.as_deref(), Some("did you mean 'meet'?"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(workflow: &Workflow, checks: &Checks<'_>) -> ValidationReport {
    let mut validator = Validator {
        workflow,
        checks,
        graph: Graph::new(workflow),
        report: ValidationReport::default(),
        hints: hints::Hints::default(),
    };
    validator.reducers();
    validator.node_defs();
    validator.workflow_output();
    validator.outcomes(&workflow.outcomes, &Place::root("outcomes"));
    let regions = regions::analyse(&validator.graph);
    for index in 0..workflow.nodes.len() {
        validator.step(index, &regions);
    }
    validator.start(&regions);
    validator.edges(&regions);
    validator.missing_edges(&regions);
    validator.unreachable_steps(&regions);
    validator.endless_steps(&regions);
    validator.report
}

/// One validation in progress.
struct Validator<'w> {
    workflow: &'w Workflow,
    checks: &'w Checks<'w>,
    graph: Graph<'w>,
    report: ValidationReport,
    hints: hints::Hints,
}

impl Validator<'_> {
    fn error(&mut self, code: IssueCode, place: &Place<'_>, message: impl Into<String>, hint: Option<String>) {
        self.report.add(Severity::Error, code, place.to_string(), message, hint);
    }

    fn warning(&mut self, code: IssueCode, place: &Place<'_>, message: impl Into<String>, hint: Option<String>) {
        self.report.add(Severity::Warning, code, place.to_string(), message, hint);
    }

    fn node_defs(&mut self) {
        let list = Place::root("node_defs");
        for (index, NodeDef { name, outcomes, .. }) in self.workflow.node_defs.iter().enumerate() {
            let place = list.item(index);
            if self.graph.first_def(name) != Some(index) {
                let message = format!("duplicate node def name {}", repr(name));
                self.error(IssueCode::DuplicateNodeDef, &place.field("name"), message, None);
            }
            self.outcomes(outcomes, &place.field("outcomes"));
        }
    }

    /// Checks the names in a list of outcomes.
    fn outcomes(&mut self, outcomes: &[Arc<str>], place: &Place<'_>) {
        let mut known = rustc_hash::FxHashSet::default();
        for (index, outcome) in outcomes.iter().enumerate() {
            if outcome.trim().is_empty() {
                self.error(IssueCode::EmptyOutcome, &place.item(index), "outcome must not be empty", None);
            } else if !known.insert(outcome.as_ref()) {
                let message = format!("duplicate outcome {}", repr(outcome));
                self.error(IssueCode::DuplicateOutcome, &place.item(index), message, None);
            }
        }
    }

    fn start(&mut self, regions: &regions::Regions) {
        let start = self.workflow.start.as_ref();
        let place = Place::root("start");
        if self.graph.step(start).is_none() {
            let hint = self.hints.nearest(start, self.graph.ids());
            self.error(IssueCode::UnknownStart, &place, format!("unknown start node {}", repr(start)), hint);
        } else if let Some(breach) = &regions.start_breach {
            let (code, message, hint) = breach.describe(&self.graph);
            self.error(code, &place, message, hint);
        }
    }
}

/// A name as messages show it.
fn repr(name: &str) -> String {
    crate::value::repr_text(name)
}
