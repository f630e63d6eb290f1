//! The structural checks that every saved plan passes.

use std::collections::BTreeSet;

use wf_core::document::{Step, Workflow};
use wf_core::value::repr_text;

use crate::contracts::ContractCatalog;
use crate::error::PlatformError;

/// Checks a plan whose node contracts have been filled in.
pub(crate) fn check(workflow: &Workflow, _catalog: &dyn ContractCatalog) -> Result<(), PlatformError> {
    let ids: BTreeSet<&str> = workflow.nodes.iter().map(|step| Step::id(step).as_ref()).collect();
    let mut problems = Vec::new();
    for (index, edge) in workflow.edges.iter().enumerate() {
        if !ids.contains(edge.from.as_ref()) {
            problems.push(format!("edges[{index}].from: unknown source node {}", repr_text(&edge.from)));
        }
        if !ids.contains(edge.to.as_ref()) && &*edge.to != "__end__" {
            problems.push(format!("edges[{index}].to: unknown destination node {}", repr_text(&edge.to)));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(PlatformError::invalid_plan(problems)) }
}
