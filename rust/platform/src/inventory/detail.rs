//! The contracts in an inventory.

use std::sync::Arc;

use wf_core::document::{NodeDef, SchemaRef};
use wf_core::refs::CapabilityRef;
use wf_core::value::Object;

use crate::capability::{CapabilityBuckets, NodeContract, ReducerContract};
use crate::source::CapabilitySource;

wf_core::document! {
    /// The contract of a node spec, without what executes it.
    #[derive(Clone, Debug, PartialEq)]
    pub struct NodeSpecInventory: "NodeSpecInventory" {
        /// Its qualified name.
        pub name: Arc<str>,
        /// What it does.
        pub description: Option<Arc<str>> = None,
        /// The outcomes it may answer.
        pub outcomes: Vec<Arc<str>>,
        /// The schema of its payload, in canonical form.
        pub input_schema: SchemaRef,
        /// The schema of its output, in canonical form.
        pub output_schema: SchemaRef,
        /// Whether its handler is asynchronous.
        pub is_async: bool,
        /// Whether its handler wants the run's context.
        pub accepts_context: bool,
    }
    unknown Ignore;
}

wf_core::document! {
    /// The contract of a reducer, without what executes it.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ReducerInventory: "ReducerInventory" {
        /// Its qualified name.
        pub name: Arc<str>,
        /// The source that owns it, and its name there.
        pub capability: CapabilityRef as "ref",
        /// What it does.
        pub description: Option<Arc<str>> = None,
        /// The schema of its configuration.
        pub config_schema: Object,
    }
    unknown Ignore;
}

wf_core::document! {
    /// Everything a source owns, sorted by name.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct SourceCapabilityInventory: "SourceCapabilityInventory" {
        /// Names of tools.
        pub tools: Vec<Arc<str>> = Vec::new(),
        /// Names of node specs.
        pub node_specs: Vec<Arc<str>> = Vec::new(),
        /// Contracts of node specs.
        pub node_spec_details: Vec<NodeSpecInventory> = Vec::new(),
        /// Names of reducers.
        pub reducers: Vec<Arc<str>> = Vec::new(),
        /// Contracts of reducers.
        pub reducer_details: Vec<ReducerInventory> = Vec::new(),
        /// Names of prompts.
        pub prompts: Vec<Arc<str>> = Vec::new(),
        /// Names of resources.
        pub resources: Vec<Arc<str>> = Vec::new(),
    }
    unknown Ignore;
}

impl NodeSpecInventory {
    /// The inventory of a contract.
    pub fn of(name: &Arc<str>, contract: &NodeContract) -> Self {
        Self {
            name: Arc::clone(name),
            description: contract.description.clone(),
            outcomes: contract.def.outcomes.clone(),
            input_schema: contract.def.input_schema.clone(),
            output_schema: contract.def.output_schema.clone(),
            is_async: contract.is_async,
            accepts_context: contract.accepts_context,
        }
    }

    /// The contract that the inventory shows; retry and time limit are not part of one.
    pub fn contract(&self) -> NodeContract {
        let mut contract = NodeContract::new(NodeDef {
            name: Arc::clone(&self.name),
            input_schema: self.input_schema.clone(),
            output_schema: self.output_schema.clone(),
            outcomes: self.outcomes.clone(),
            retry: None,
            timeout_seconds: None,
        })
        .with_description(self.description.clone());
        contract.is_async = self.is_async;
        contract.accepts_context = self.accepts_context;
        contract
    }
}

impl ReducerInventory {
    /// The inventory of a contract.
    ///
    /// The name is split at the source's id; a name that does not start with it (only possible outside a registry)
    /// is split at its last dot, and without a dot it belongs to the source that lists it.
    pub fn of<H>(source: &CapabilitySource<H>, name: &Arc<str>, contract: &ReducerContract) -> Self {
        let id = || source.id().to_source_ref();
        let capability = match source.id().local_name(name) {
            Some(local_name) => CapabilityRef { source: id(), name: local_name.into() },
            None => {
                CapabilityRef::parse(name).unwrap_or_else(|_| CapabilityRef { source: id(), name: Arc::clone(name) })
            }
        };
        Self {
            name: Arc::clone(name),
            capability,
            description: contract.description.clone(),
            config_schema: contract.config_schema.clone(),
        }
    }
}

impl SourceCapabilityInventory {
    /// Everything a source owns.
    pub fn of<H>(source: &CapabilitySource<H>) -> Self {
        let CapabilityBuckets { tools, node_specs, reducers, prompts, resources } = source.capabilities().as_ref();
        Self {
            tools: tools.names().to_vec(),
            node_specs: node_specs.names().to_vec(),
            node_spec_details: node_specs
                .iter_sorted()
                .map(|(name, entry)| NodeSpecInventory::of(name, entry.contract()))
                .collect(),
            reducers: reducers.names().to_vec(),
            reducer_details: reducers
                .iter_sorted()
                .map(|(name, entry)| ReducerInventory::of(source, name, entry.contract()))
                .collect(),
            prompts: prompts.names().to_vec(),
            resources: resources.names().to_vec(),
        }
    }
}
