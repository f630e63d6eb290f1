//! Where contracts are looked up when a workflow is saved: a registry, or inventories that were handed over.

use std::sync::Arc;

use crate::capability::{NodeContract, ReducerContract};
use crate::registry::Snapshot;

/// Anything that knows contracts by qualified name.
pub trait ContractCatalog {
    /// The contract of a node spec.
    fn node_contract(&self, name: &str) -> Option<Arc<NodeContract>>;

    /// The contract of a reducer.
    fn reducer_contract(&self, name: &str) -> Option<Arc<ReducerContract>>;

    /// The source that owns a name, and the name within it.
    fn owner_of(&self, name: &str) -> Option<(Arc<str>, Arc<str>)>;
}

impl<H> ContractCatalog for Snapshot<H> {
    fn node_contract(&self, name: &str) -> Option<Arc<NodeContract>> {
        self.node_spec(name).ok().map(|found| Arc::clone(found.capability.contract()))
    }

    fn reducer_contract(&self, name: &str) -> Option<Arc<ReducerContract>> {
        self.reducer(name).ok().map(|found| Arc::clone(found.capability.contract()))
    }

    fn owner_of(&self, name: &str) -> Option<(Arc<str>, Arc<str>)> {
        self.owner(name).map(|(entry, local_name)| (Arc::clone(entry.id().as_shared()), local_name.into()))
    }
}

/// Contracts that were handed over one by one; where a name's source ends is not known.
#[derive(Clone, Debug, Default)]
pub struct ObservedContracts(Vec<Arc<NodeContract>>);

impl FromIterator<NodeContract> for ObservedContracts {
    fn from_iter<I: IntoIterator<Item = NodeContract>>(contracts: I) -> Self {
        Self(contracts.into_iter().map(Arc::new).collect())
    }
}

impl ContractCatalog for ObservedContracts {
    fn node_contract(&self, name: &str) -> Option<Arc<NodeContract>> {
        self.0.iter().find(|contract| *contract.def.name == *name).cloned()
    }

    fn reducer_contract(&self, _: &str) -> Option<Arc<ReducerContract>> {
        None
    }

    fn owner_of(&self, _: &str) -> Option<(Arc<str>, Arc<str>)> {
        None
    }
}
