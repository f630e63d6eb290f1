//! What a source owns: contracts in buckets, each with the private handle that executes it.
//!
//! A contract describes and may be shown; a handle executes and never leaves its bucket by way of an inventory.

mod bucket;
mod contract;

pub use bucket::{Bucket, Entry};
pub use contract::{NodeContract, PromptContract, ReducerContract, ResourceContract, ToolContract};

use std::fmt;
use std::sync::Arc;

/// The kinds of capability a source may own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CapabilityKind {
    /// `tool`: something an MCP client may call.
    Tool,
    /// `node_spec`: something a workflow step may call.
    NodeSpec,
    /// `reducer`: a merge rule for state fields.
    Reducer,
    /// `prompt`: a text offered to a client.
    Prompt,
    /// `resource`: content that can be read by URI.
    Resource,
    /// `workflow`: a saved workflow.
    Workflow,
}

impl CapabilityKind {
    /// Every kind, in the order of the documents.
    pub const ALL: [Self; 6] =
        [Self::Tool, Self::Resource, Self::Prompt, Self::NodeSpec, Self::Reducer, Self::Workflow];

    /// The name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::NodeSpec => "node_spec",
            Self::Reducer => "reducer",
            Self::Prompt => "prompt",
            Self::Resource => "resource",
            Self::Workflow => "workflow",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

impl fmt::Display for CapabilityKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// All capabilities of a source, each bucket keyed by qualified name.
#[derive(Clone, Debug)]
pub struct CapabilityBuckets<H> {
    /// What MCP clients may call.
    pub tools: Bucket<ToolContract, H>,
    /// What workflow steps may call.
    pub node_specs: Bucket<NodeContract, H>,
    /// Merge rules for state fields.
    pub reducers: Bucket<ReducerContract, H>,
    /// Texts offered to clients.
    pub prompts: Bucket<PromptContract, H>,
    /// Content that can be read by URI.
    pub resources: Bucket<ResourceContract, H>,
}

impl<H> Default for CapabilityBuckets<H> {
    fn default() -> Self {
        Self {
            tools: Bucket::default(),
            node_specs: Bucket::default(),
            reducers: Bucket::default(),
            prompts: Bucket::default(),
            resources: Bucket::default(),
        }
    }
}

impl<H> CapabilityBuckets<H> {
    /// The names of one kind, sorted; empty for workflows, which no source owns.
    pub fn names(&self, kind: CapabilityKind) -> &[Arc<str>] {
        match kind {
            CapabilityKind::Tool => self.tools.names(),
            CapabilityKind::NodeSpec => self.node_specs.names(),
            CapabilityKind::Reducer => self.reducers.names(),
            CapabilityKind::Prompt => self.prompts.names(),
            CapabilityKind::Resource => self.resources.names(),
            CapabilityKind::Workflow => &[],
        }
    }

    /// Whether there is a capability of this kind and qualified name.
    pub fn contains(&self, kind: CapabilityKind, name: &str) -> bool {
        match kind {
            CapabilityKind::Tool => self.tools.contains(name),
            CapabilityKind::NodeSpec => self.node_specs.contains(name),
            CapabilityKind::Reducer => self.reducers.contains(name),
            CapabilityKind::Prompt => self.prompts.contains(name),
            CapabilityKind::Resource => self.resources.contains(name),
            CapabilityKind::Workflow => false,
        }
    }

    /// The kind under which a qualified name is found first, if any.
    pub fn kind_of(&self, name: &str) -> Option<CapabilityKind> {
        CapabilityKind::ALL.into_iter().find(|&kind| self.contains(kind, name))
    }
}
