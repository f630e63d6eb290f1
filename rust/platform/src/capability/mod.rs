//! What a source owns: contracts in buckets, each with the private handle that executes it.
//!
//! A contract describes and may be shown; a handle executes and never leaves its bucket by way of an inventory.

mod bucket;
mod contract;

pub use bucket::{Bucket, Entry};
pub use contract::{NodeContract, PromptContract, ReducerContract, ResourceContract, SchemaSide, ToolContract};

use std::sync::Arc;

wf_core::text_enum! {
    /// The kinds of capability.
    pub enum CapabilityKind {
        /// Something an MCP client may call.
        Tool = "tool",
        /// Content that can be read by URI.
        Resource = "resource",
        /// A text offered to a client.
        Prompt = "prompt",
        /// Something a workflow step may call.
        NodeSpec = "node_spec",
        /// A merge rule for state fields.
        Reducer = "reducer",
        /// A saved workflow.
        Workflow = "workflow",
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
        CapabilityKind::ALL.iter().copied().find(|&kind| self.contains(kind, name))
    }
}
