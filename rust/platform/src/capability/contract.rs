//! Contracts: what a capability takes and gives, without what executes it.

use std::sync::Arc;

use wf_core::document::{NodeDef, ReducerSpec};
use wf_core::value::Object;

/// The contract of a node spec.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeContract {
    /// What a plan needs to know: name, schemas, outcomes, retry and time limit.
    pub def: NodeDef,
    /// What it does.
    pub description: Option<Arc<str>>,
    /// Whether its handler is asynchronous.
    pub is_async: bool,
    /// Whether its handler wants the run's context.
    pub accepts_context: bool,
}

/// The contract of a reducer is the document the engine uses.
pub type ReducerContract = ReducerSpec;

/// The contract of a tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolContract {
    /// A title for people.
    pub title: Option<Arc<str>>,
    /// What it does.
    pub description: Option<Arc<str>>,
    /// The schema of its arguments.
    pub input_schema: Option<Object>,
    /// The schema of its structured result.
    pub output_schema: Option<Object>,
    /// What else its origin says about it.
    pub meta: Object,
}

/// The contract of a prompt.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PromptContract {
    /// A title for people.
    pub title: Option<Arc<str>>,
    /// What it is for.
    pub description: Option<Arc<str>>,
    /// The text, when it is known here and takes no arguments.
    pub text: Option<Arc<str>>,
    /// What else its origin says about it, its arguments included.
    pub meta: Object,
}

/// The contract of a resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceContract {
    /// Where it is read.
    pub uri: Arc<str>,
    /// A title for people.
    pub title: Option<Arc<str>>,
    /// What it holds.
    pub description: Option<Arc<str>>,
    /// Its media type.
    pub mime_type: Option<Arc<str>>,
    /// The text, when it is shipped with this process.
    pub text: Option<Arc<str>>,
    /// What else its origin says about it.
    pub meta: Object,
}
