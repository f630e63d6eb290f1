//! The workflow document.

use std::sync::Arc;

use super::binding::WithoutExpressions;
use super::form::NonEmpty;
use super::{InputBinding, NodeDef, SchemaRef, StateSchema, Step};

document! {
    /// A workflow: steps, the edges between them, and the contracts around them.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Workflow: "Workflow" {
        /// Its name.
        pub name: Arc<str>,
        /// The schema of its input.
        pub input_schema: SchemaRef,
        /// The schema of its state.
        pub state_schema: StateSchema,
        /// The schema of its output.
        pub output_schema: SchemaRef,
        /// Builds its output; empty means: the state fields that the output schema names.
        pub output: Vec<InputBinding> => WithoutExpressions = Vec::new(),
        /// The contracts of the nodes it uses.
        pub node_defs: Vec<NodeDef> = Vec::new(),
        /// The outcomes it may end with; never empty.
        pub outcomes: Vec<Arc<str>> => NonEmpty = vec![Arc::from("ok")],
        /// The id of its first step.
        pub start: Arc<str>,
        /// Its steps.
        pub nodes: Vec<Step>,
        /// Its edges.
        pub edges: Vec<Edge>,
    }
}

document! {
    /// Where a step's outcome leads.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Edge: "Edge" {
        /// The step that answers the outcome.
        pub from: Arc<str>,
        /// The outcome.
        pub outcome: Arc<str>,
        /// The next step, or `__end__`.
        pub to: Arc<str>,
    }
}
