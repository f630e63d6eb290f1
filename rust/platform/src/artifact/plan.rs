//! What a plan names: nodes, reducers and other workflows.

use std::sync::Arc;

use indexmap::IndexSet;
use wf_core::document::{Step, Workflow, WorkflowRef};
use wf_core::refs::CapabilityRef;

/// Everything a plan names, each once, in the order of the document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanNames {
    /// Names of node contracts.
    pub nodes: Vec<Arc<str>>,
    /// Reducers of state fields, the default one included.
    pub reducers: Vec<CapabilityRef>,
    /// Workflows that subgraph steps run.
    pub children: Vec<WorkflowRef>,
}

/// Everything a plan names.
pub fn plan_names(workflow: &Workflow) -> PlanNames {
    let mut nodes = IndexSet::new();
    let mut children = IndexSet::new();
    for step in &workflow.nodes {
        match step {
            Step::Node(step) => {
                nodes.insert(Arc::clone(&step.node));
            }
            Step::Subgraph(step) => {
                children.insert(step.workflow.clone());
            }
            _ => {}
        }
    }
    let reducers: IndexSet<CapabilityRef> =
        workflow.state_schema.fields().iter().map(|field| field.reducer.capability.clone()).collect();
    PlanNames {
        nodes: nodes.into_iter().collect(),
        reducers: reducers.into_iter().collect(),
        children: children.into_iter().collect(),
    }
}
