//! What a caller brings along with a workflow: contracts of custom reducers, and child workflows.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::document::{ReducerSpec, Workflow, WorkflowRef};
use crate::reducer::ReducerSet;
use crate::validation::SubgraphSet;

/// The contracts of custom reducers by name. What executes them stays with the caller.
#[derive(Clone, Debug, Default)]
pub struct ReducerTable(BTreeMap<Arc<str>, ReducerSpec>);

impl ReducerTable {
    /// A table without custom reducers; the built-in ones need no entry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a contract under its name.
    pub fn insert(&mut self, spec: ReducerSpec) {
        self.0.insert(Arc::clone(&spec.name), spec);
    }

    /// The names in order.
    pub fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.0.keys()
    }
}

impl FromIterator<ReducerSpec> for ReducerTable {
    fn from_iter<I: IntoIterator<Item = ReducerSpec>>(specs: I) -> Self {
        Self(specs.into_iter().map(|spec| (Arc::clone(&spec.name), spec)).collect())
    }
}

impl ReducerSet for ReducerTable {
    fn spec(&self, name: &str) -> Option<&ReducerSpec> {
        self.0.get(name)
    }
}

/// A child workflow and the reducers that it was written for.
#[derive(Clone, Debug)]
pub struct PreparedSubgraph {
    /// The workflow.
    pub workflow: Arc<Workflow>,
    /// Its custom reducers.
    pub reducers: ReducerTable,
}

/// Child workflows by the text of their reference: a name, or `workflow.<artifact>.v<version>`.
///
/// One table serves every level of nesting.
#[derive(Clone, Debug, Default)]
pub struct SubgraphTable(BTreeMap<Arc<str>, PreparedSubgraph>);

impl SubgraphTable {
    /// A table without child workflows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a child workflow under the text of its reference.
    pub fn insert(&mut self, reference: impl Into<Arc<str>>, child: PreparedSubgraph) {
        self.0.insert(reference.into(), child);
    }

    /// The child workflow of a reference.
    pub fn get(&self, reference: &str) -> Option<&PreparedSubgraph> {
        self.0.get(reference)
    }
}

impl SubgraphSet for SubgraphTable {
    fn workflow(&self, reference: &WorkflowRef) -> Option<&Workflow> {
        self.get(&reference.to_string()).map(|child| &*child.workflow)
    }

    fn names(&self) -> Vec<String> {
        self.0.keys().map(ToString::to_string).collect()
    }
}
