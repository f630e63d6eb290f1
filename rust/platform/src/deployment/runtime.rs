//! What a run of a deployment executes: for every name of the plan the concrete capability and its handle.

use std::sync::Arc;

use wf_core::document::Workflow;
use wf_core::refs::CapabilityRef;

use crate::artifact::{WorkflowArtifact, plan_names};
use crate::capability::{CapabilityKind, NodeContract, ReducerContract};
use crate::error::PlatformError;
use crate::projection::{Surface, find_node_spec, find_reducer};
use crate::registry::Snapshot;

use super::{Resolution, WorkflowDeployment, resolve, resolve_name};

/// A node of a plan and what executes it.
#[derive(Clone, Debug)]
pub struct ResolvedNode<H> {
    /// The name in the plan.
    pub name: Arc<str>,
    /// The concrete source.
    pub source_id: Arc<str>,
    /// The qualified name within the concrete source.
    pub concrete_name: Arc<str>,
    /// Its contract.
    pub contract: Arc<NodeContract>,
    /// What executes it; `None` when only the contract is known.
    pub handle: Option<H>,
}

/// A reducer of a plan and what executes it.
#[derive(Clone, Debug)]
pub struct ResolvedReducer<H> {
    /// The reference in the plan.
    pub reference: CapabilityRef,
    /// The concrete source.
    pub source_id: Arc<str>,
    /// The qualified name within the concrete source.
    pub concrete_name: Arc<str>,
    /// Its contract.
    pub contract: Arc<ReducerContract>,
    /// What executes it; `None` when only the contract is known.
    pub handle: Option<H>,
}

/// Everything a plan needs to run.
#[derive(Clone, Debug)]
pub struct RuntimeDependencies<H> {
    /// Its nodes, in the order of the plan.
    pub nodes: Vec<ResolvedNode<H>>,
    /// Its reducers, in the order of the plan.
    pub reducers: Vec<ResolvedReducer<H>>,
}

/// Finds what executes a plan. It goes by the same rules as the validation of the deployment, and in addition asks
/// the planner's projection, so a disabled, hidden, unsafe or denied capability is not executed.
///
/// # Errors
/// Everything that cannot be executed, in the order of the plan; never empty.
pub fn resolve_runtime_dependencies<H: Clone>(
    artifact: &WorkflowArtifact,
    workflow: &Workflow,
    deployment: &WorkflowDeployment,
    snapshot: &Snapshot<H>,
) -> Result<RuntimeDependencies<H>, Vec<PlatformError>> {
    let names = plan_names(workflow);
    let mut errors = Vec::new();
    let mut nodes = Vec::with_capacity(names.nodes.len());
    for name in names.nodes {
        match node(&name, artifact, deployment, snapshot) {
            Ok(node) => nodes.push(node),
            Err(error) => errors.push(error),
        }
    }
    let mut reducers = Vec::with_capacity(names.reducers.len());
    for reference in names.reducers {
        match reducer(reference, deployment, snapshot) {
            Ok(reducer) => reducers.push(reducer),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(RuntimeDependencies { nodes, reducers }) } else { Err(errors) }
}

fn node<H: Clone>(
    name: &Arc<str>,
    artifact: &WorkflowArtifact,
    deployment: &WorkflowDeployment,
    snapshot: &Snapshot<H>,
) -> Result<ResolvedNode<H>, PlatformError> {
    let resolution = match artifact.requirement(name) {
        Some(requirement) => resolve(&requirement.capability, deployment, snapshot),
        None => resolve_name(name, deployment, snapshot),
    };
    let (source_id, concrete_name) = concrete(resolution, CapabilityKind::NodeSpec, name, snapshot)?;
    let found = find_node_spec(snapshot, Surface::Planner, &concrete_name)?;
    let (contract, handle) = (Arc::clone(found.capability.contract()), found.capability.handle().cloned());
    Ok(ResolvedNode { name: Arc::clone(name), source_id, concrete_name, contract, handle })
}

fn reducer<H: Clone>(
    reference: CapabilityRef,
    deployment: &WorkflowDeployment,
    snapshot: &Snapshot<H>,
) -> Result<ResolvedReducer<H>, PlatformError> {
    let resolution = resolve(&reference, deployment, snapshot);
    let name = reference.to_string();
    let (source_id, concrete_name) = concrete(resolution, CapabilityKind::Reducer, &name, snapshot)?;
    let found = find_reducer(snapshot, Surface::Planner, &concrete_name)?;
    let (contract, handle) = (Arc::clone(found.capability.contract()), found.capability.handle().cloned());
    Ok(ResolvedReducer { reference, source_id, concrete_name, contract, handle })
}

/// The concrete source and the qualified name in it; the source must be there and own the name.
fn concrete<H>(
    resolution: Resolution,
    kind: CapabilityKind,
    name: &str,
    snapshot: &Snapshot<H>,
) -> Result<(Arc<str>, Arc<str>), PlatformError> {
    match resolution {
        Resolution::Unbound { logical_source } => {
            Err(PlatformError::UnboundSource { logical_source, name: name.into() })
        }
        Resolution::Source { source_id, local_name } => {
            let entry = snapshot.require(&source_id)?;
            let concrete_name = entry.id().qualify(&local_name);
            match snapshot.owner(&concrete_name) {
                Some((owner, _)) if owner.id() == entry.id() => Ok((source_id, concrete_name)),
                _ => Err(snapshot.unknown_capability(Some(kind), &concrete_name)),
            }
        }
    }
}
