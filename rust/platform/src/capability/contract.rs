//! Contracts: what a capability takes and gives, without what executes it.

use std::sync::{Arc, OnceLock};

use wf_core::document::{NodeDef, ReducerSpec};
use wf_core::value::Object;

use crate::hash::hash_contract;

/// The two schemas of a capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaSide {
    /// What it takes.
    Input,
    /// What it gives.
    Output,
}

impl SchemaSide {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Input, Self::Output];

    /// The name in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
        }
    }
}

/// The contract of a node spec.
#[derive(Clone, Debug)]
pub struct NodeContract {
    /// What a plan needs to know: name, schemas, outcomes, retry and time limit.
    pub def: NodeDef,
    /// What it does.
    pub description: Option<Arc<str>>,
    /// Whether its handler is asynchronous.
    pub is_async: bool,
    /// Whether its handler wants the run's context.
    pub accepts_context: bool,
    /// The hashes of both schemas, once somebody asked.
    hashes: OnceLock<[Arc<str>; 2]>,
}

impl NodeContract {
    /// The contract of a synchronous handler that wants the run's context.
    pub fn new(def: NodeDef) -> Self {
        Self { def, description: None, is_async: false, accepts_context: true, hashes: OnceLock::new() }
    }

    /// The same contract with a description.
    #[must_use]
    pub fn with_description(mut self, description: Option<Arc<str>>) -> Self {
        self.description = description;
        self
    }

    /// The schema of one side.
    pub fn schema(&self, side: SchemaSide) -> &Object {
        match side {
            SchemaSide::Input => self.def.input_schema.as_object(),
            SchemaSide::Output => self.def.output_schema.as_object(),
        }
    }

    /// The hash of what one side promises.
    pub fn hash(&self, side: SchemaSide) -> &Arc<str> {
        let [input, output] = self.hashes.get_or_init(|| SchemaSide::ALL.map(|side| hash_contract(self.schema(side))));
        match side {
            SchemaSide::Input => input,
            SchemaSide::Output => output,
        }
    }
}

impl PartialEq for NodeContract {
    fn eq(&self, other: &Self) -> bool {
        self.def == other.def
            && self.description == other.description
            && self.is_async == other.is_async
            && self.accepts_context == other.accepts_context
    }
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
