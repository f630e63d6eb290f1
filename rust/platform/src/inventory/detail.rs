//! The full inventory of a source: its status and every contract.

use std::sync::Arc;

use wf_core::value::{Object, Value};

use crate::capability::{CapabilityBuckets, NodeContract, ReducerContract};
use crate::source::CapabilitySource;

use super::SourceStatus;
use super::status::names_value;

/// A source's status and everything it owns.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceInventory {
    /// Its status.
    pub status: SourceStatus,
    /// What it owns.
    pub capabilities: SourceCapabilityInventory,
}

/// Everything a source owns, sorted by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceCapabilityInventory {
    /// Names of tools.
    pub tools: Vec<Arc<str>>,
    /// Names of node specs.
    pub node_specs: Vec<Arc<str>>,
    /// Contracts of node specs.
    pub node_spec_details: Vec<NodeSpecInventory>,
    /// Names of reducers.
    pub reducers: Vec<Arc<str>>,
    /// Contracts of reducers.
    pub reducer_details: Vec<ReducerInventory>,
    /// Names of prompts.
    pub prompts: Vec<Arc<str>>,
    /// Names of resources.
    pub resources: Vec<Arc<str>>,
}

/// The contract of a node spec, without what executes it.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeSpecInventory {
    /// Its qualified name.
    pub name: Arc<str>,
    /// What it does.
    pub description: Option<Arc<str>>,
    /// The outcomes it may answer.
    pub outcomes: Vec<Arc<str>>,
    /// The schema of its payload, in canonical form.
    pub input_schema: Object,
    /// The schema of its output, in canonical form.
    pub output_schema: Object,
    /// Whether its handler is asynchronous.
    pub is_async: bool,
    /// Whether its handler wants the run's context.
    pub accepts_context: bool,
}

/// The contract of a reducer, without what executes it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReducerInventory {
    /// Its qualified name.
    pub name: Arc<str>,
    /// The source that owns it.
    pub source: Arc<str>,
    /// Its name within the source.
    pub local_name: Arc<str>,
    /// What it does.
    pub description: Option<Arc<str>>,
    /// The schema of its configuration.
    pub config_schema: Object,
}

impl NodeSpecInventory {
    /// The inventory of a contract.
    pub fn of(name: &Arc<str>, contract: &NodeContract) -> Self {
        Self {
            name: Arc::clone(name),
            description: contract.description.clone(),
            outcomes: contract.def.outcomes.clone(),
            input_schema: contract.def.input_schema.as_object().clone(),
            output_schema: contract.def.output_schema.as_object().clone(),
            is_async: contract.is_async,
            accepts_context: contract.accepts_context,
        }
    }

    /// The document.
    pub fn to_object(&self) -> Object {
        let mut detail = Object::with_capacity(7);
        detail.insert("name", Arc::clone(&self.name));
        detail.insert("description", self.description.clone());
        detail.insert("outcomes", names_value(&self.outcomes));
        detail.insert("input_schema", self.input_schema.clone());
        detail.insert("output_schema", self.output_schema.clone());
        detail.insert("is_async", self.is_async);
        detail.insert("accepts_context", self.accepts_context);
        detail
    }
}

impl ReducerInventory {
    /// The inventory of a contract.
    ///
    /// The name is split at the source's id; a name that does not start with it (only possible outside a registry)
    /// is split at its last dot, and without a dot it belongs to the source that lists it.
    pub fn of<H>(source: &CapabilitySource<H>, name: &Arc<str>, contract: &ReducerContract) -> Self {
        let (owner, local_name) = match source.id().local_name(name) {
            Some(local_name) => (Arc::clone(source.id().as_shared()), Arc::from(local_name)),
            None => match name.rsplit_once('.') {
                Some((owner, local_name)) if !owner.is_empty() && !local_name.is_empty() => {
                    (Arc::from(owner), Arc::from(local_name))
                }
                _ => (Arc::clone(source.id().as_shared()), Arc::clone(name)),
            },
        };
        Self {
            name: Arc::clone(name),
            source: owner,
            local_name,
            description: contract.description.clone(),
            config_schema: contract.config_schema.clone(),
        }
    }

    /// The document.
    pub fn to_object(&self) -> Object {
        let mut reference = Object::with_capacity(2);
        reference.insert("source", Arc::clone(&self.source));
        reference.insert("capability_key", Arc::clone(&self.local_name));
        let mut detail = Object::with_capacity(4);
        detail.insert("name", Arc::clone(&self.name));
        detail.insert("ref", reference);
        detail.insert("description", self.description.clone());
        detail.insert("config_schema", self.config_schema.clone());
        detail
    }
}

impl SourceCapabilityInventory {
    fn of<H>(source: &CapabilitySource<H>) -> Self {
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

    /// The document.
    pub fn to_object(&self) -> Object {
        let objects = |objects: Vec<Object>| Value::from(objects);
        let mut capabilities = Object::with_capacity(7);
        capabilities.insert("tools", names_value(&self.tools));
        capabilities.insert("node_specs", names_value(&self.node_specs));
        capabilities.insert(
            "node_spec_details",
            objects(self.node_spec_details.iter().map(NodeSpecInventory::to_object).collect()),
        );
        capabilities.insert("reducers", names_value(&self.reducers));
        capabilities
            .insert("reducer_details", objects(self.reducer_details.iter().map(ReducerInventory::to_object).collect()));
        capabilities.insert("prompts", names_value(&self.prompts));
        capabilities.insert("resources", names_value(&self.resources));
        capabilities
    }
}

impl SourceInventory {
    /// The inventory of a source.
    pub fn of<H>(source: &CapabilitySource<H>) -> Self {
        Self { status: SourceStatus::of(source), capabilities: SourceCapabilityInventory::of(source) }
    }

    /// The document: the status, then `capabilities`.
    pub fn to_object(&self) -> Object {
        let mut inventory = self.status.to_object();
        inventory.insert("capabilities", self.capabilities.to_object());
        inventory
    }
}
