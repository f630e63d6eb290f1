//! From a plan to an artifact: normalise names, check the structure, note what is needed.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use wf_core::document::{Document, NodeDef, SchemaRef, Step, Workflow};
use wf_core::refs::{CapabilityRef, SourceRef};
use wf_core::value::{Object, Value, repr_text};

use crate::capability::CapabilityKind;
use crate::contracts::ContractCatalog;
use crate::deployment::SourceBinding;
use crate::error::PlatformError;

use super::workflow_ref::WORKFLOW_NAMESPACE;
use super::{
    ArtifactKind, PlanNames, RequiredCapability, WorkflowArtifact, WorkflowCapabilityRef, normalize_plan_node_refs,
    plan_names,
};

/// What an artifact is made from.
#[derive(Clone, Debug)]
pub struct ArtifactDraft {
    /// Its id.
    pub artifact_id: Arc<str>,
    /// Its version.
    pub version: u32,
    /// Its title.
    pub title: Arc<str>,
    /// What it is for.
    pub kind: ArtifactKind,
    /// What it does.
    pub description: Option<Arc<str>>,
    /// The workflow document; it may name concrete sources.
    pub plan: Object,
    /// The outcomes it may end with.
    pub outcomes: Vec<Arc<str>>,
    /// Requirements that the author states; they win over those that are found.
    pub required_capabilities: Vec<RequiredCapability>,
    /// Which concrete sources the plan names, and what it should call them.
    pub source_bindings: Vec<SourceBinding>,
    /// The version of the catalog, as the caller counts.
    pub created_from_catalog_version: Value,
    /// When, in milliseconds since the epoch, if that is to be recorded.
    pub observed_at_epoch_ms: Option<u64>,
}

/// The saved workflows that a plan may run.
pub type Children<'a> = dyn Fn(&WorkflowCapabilityRef) -> Option<Arc<WorkflowArtifact>> + 'a;

/// Makes an artifact of a plan.
///
/// # Errors
/// [`PlatformError::InvalidPlan`] with everything that is wrong with the plan.
pub fn create_artifact_from_plan(
    draft: &ArtifactDraft,
    catalog: &dyn ContractCatalog,
    children: &Children<'_>,
) -> Result<WorkflowArtifact, PlatformError> {
    let normalized = normalize_plan_node_refs(&draft.plan, &draft.source_bindings, catalog);
    let workflow = checked_workflow(&normalized.plan, &normalized.requirements, catalog)?;
    let names = plan_names(&workflow);
    let splitter = Splitter { catalog, stated: &draft.required_capabilities };

    let mut requirements: IndexMap<Arc<str>, RequiredCapability> = IndexMap::new();
    let mut add = |requirement: RequiredCapability| {
        requirements.insert(requirement.display(), requirement);
    };
    found_requirements(&names, &splitter, catalog, children)?.into_iter().for_each(&mut add);
    normalized.requirements.into_iter().for_each(&mut add);
    draft.required_capabilities.iter().cloned().for_each(&mut add);

    let mut required_capabilities: Vec<RequiredCapability> = requirements.into_values().collect();
    for requirement in &mut required_capabilities {
        if requirement.observed_at_epoch_ms.is_none() && requirement.input_schema_hash.is_some() {
            requirement.observed_at_epoch_ms = draft.observed_at_epoch_ms;
        }
    }
    Ok(WorkflowArtifact {
        id: Arc::clone(&draft.artifact_id),
        version: draft.version,
        title: Arc::clone(&draft.title),
        kind: draft.kind,
        description: draft.description.clone(),
        input_schema: object_field(&normalized.plan, "input_schema")?,
        output_schema: object_field(&normalized.plan, "output_schema")?,
        outcomes: draft.outcomes.clone(),
        plan: normalized.plan,
        required_capabilities,
        workflow_dependencies: dependencies(&names),
        created_from_catalog_version: draft.created_from_catalog_version.clone(),
    })
}

impl WorkflowArtifact {
    /// The artifact with the requirements that its plan has and that nobody recorded.
    ///
    /// # Errors
    /// [`PlatformError::InvalidPlan`] with everything that is wrong with the plan.
    pub fn with_found_requirements(
        &self,
        catalog: &dyn ContractCatalog,
        children: &Children<'_>,
    ) -> Result<Self, PlatformError> {
        let workflow = checked_workflow(&self.plan, &self.required_capabilities, catalog)?;
        let names = plan_names(&workflow);
        let splitter = Splitter { catalog, stated: &self.required_capabilities };
        let mut artifact = self.clone();
        for requirement in found_requirements(&names, &splitter, catalog, children)? {
            if self.requirement(&requirement.display()).is_none() {
                artifact.required_capabilities.push(requirement);
            }
        }
        artifact.workflow_dependencies = dependencies(&names);
        Ok(artifact)
    }
}

/// Where the source of a name in a plan ends.
struct Splitter<'a> {
    catalog: &'a dyn ContractCatalog,
    stated: &'a [RequiredCapability],
}

impl Splitter<'_> {
    /// What a requirement states, else what the catalog knows, else the last dot.
    fn split(&self, name: &str) -> Option<CapabilityRef> {
        if let Some(stated) = self.stated.iter().find(|requirement| *requirement.display() == *name) {
            return Some(stated.capability.clone());
        }
        if let Some((source, local_name)) = self.catalog.owner_of(name) {
            return CapabilityRef::new(SourceRef::parse(&source).ok()?, local_name).ok();
        }
        CapabilityRef::parse(name).ok()
    }
}

/// The requirements of everything a plan names: reducers, nodes, then child workflows.
fn found_requirements(
    names: &PlanNames,
    splitter: &Splitter<'_>,
    catalog: &dyn ContractCatalog,
    children: &Children<'_>,
) -> Result<Vec<RequiredCapability>, PlatformError> {
    let mut found = Vec::new();
    let mut problems = Vec::new();
    for reducer in &names.reducers {
        let reference = splitter.split(&reducer.to_string()).unwrap_or_else(|| reducer.clone());
        found.push(RequiredCapability::unobserved(reference, CapabilityKind::Reducer));
    }
    for name in &names.nodes {
        let Some(reference) = splitter.split(name) else {
            problems.push(format!("node {} names no source; use it as `<source>.{name}`", repr_text(name)));
            continue;
        };
        let mut requirement = RequiredCapability::unobserved(reference, CapabilityKind::NodeSpec);
        if let Some(contract) = catalog.node_contract(name) {
            requirement = requirement.observing(&contract);
            requirement.observed_concrete_source = catalog.owner_of(name).map(|(source, _)| source);
        }
        found.push(requirement);
    }
    for child in &names.children {
        match WorkflowCapabilityRef::from_workflow_ref(child) {
            Ok(reference) => found.push(child_requirement(&reference, children)),
            Err(error) => problems.push(format!("subgraph {}: {error}", repr_text(&child.to_string()))),
        }
    }
    if problems.is_empty() { Ok(found) } else { Err(PlatformError::invalid_plan(problems)) }
}

fn child_requirement(reference: &WorkflowCapabilityRef, children: &Children<'_>) -> RequiredCapability {
    let capability = CapabilityRef {
        source: SourceRef::parse(WORKFLOW_NAMESPACE).expect("the namespace is one segment"),
        name: reference.local_name(),
    };
    let mut requirement = RequiredCapability::unobserved(capability, CapabilityKind::Workflow);
    if let Some(artifact) = children(reference) {
        requirement.input_schema_hash = Some(crate::hash::hash_contract(&artifact.input_schema));
        requirement.input_schema_snapshot = Some(artifact.input_schema.clone());
        requirement.output_schema_hash = Some(crate::hash::hash_contract(&artifact.output_schema));
        requirement.output_schema_snapshot = Some(artifact.output_schema.clone());
    }
    requirement
}

/// Each child once, with the highest version that is used.
fn dependencies(names: &PlanNames) -> Vec<(Arc<str>, u32)> {
    let mut highest: BTreeMap<Arc<str>, u32> = BTreeMap::new();
    for reference in names.children.iter().filter_map(|child| WorkflowCapabilityRef::from_workflow_ref(child).ok()) {
        let version = highest.entry(reference.artifact_id).or_default();
        *version = (*version).max(reference.version);
    }
    highest.into_iter().collect()
}

fn object_field(plan: &Object, name: &'static str) -> Result<Object, PlatformError> {
    plan.get(name).and_then(Value::as_object).cloned().ok_or(PlatformError::PlanFieldNotAnObject { field: name })
}

/// The plan as a workflow that passed the structural checks.
///
/// Contracts come from the catalog, by the name in the plan or by the concrete name behind a rewritten one. A node
/// whose contract is not known is taken to be as the plan uses it; whether it is, shows when a deployment binds it.
fn checked_workflow(
    plan: &Object,
    requirements: &[RequiredCapability],
    catalog: &dyn ContractCatalog,
) -> Result<Workflow, PlatformError> {
    let mut workflow = Workflow::parse(&Value::Object(plan.clone()))
        .map_err(|error| PlatformError::invalid_plan(error.problems.iter().map(ToString::to_string)))?;
    let names = plan_names(&workflow).nodes;
    let defs =
        names.iter().map(|name| contract_of(name, requirements, catalog).unwrap_or_else(|| assumed(name, &workflow)));
    workflow.node_defs = defs.collect();
    crate::structure::check(&workflow, requirements, catalog)?;
    Ok(workflow)
}

fn contract_of(name: &Arc<str>, requirements: &[RequiredCapability], catalog: &dyn ContractCatalog) -> Option<NodeDef> {
    let named = |name: Arc<str>, concrete: &str| {
        let contract = catalog.node_contract(concrete)?;
        Some(NodeDef { name, ..contract.def.clone() })
    };
    let requirement = requirements.iter().find(|requirement| requirement.display() == *name);
    let concrete = requirement.and_then(|requirement| {
        let source = requirement.observed_concrete_source.as_ref()?;
        named(Arc::clone(name), &format!("{source}.{}", requirement.capability.name))
    });
    concrete.or_else(|| named(Arc::clone(name), name))
}

/// A contract that fits every use of a node in the plan.
fn assumed(name: &Arc<str>, workflow: &Workflow) -> NodeDef {
    let mut inputs = IndexSet::new();
    let mut outputs = IndexSet::new();
    let mut outcomes = IndexSet::new();
    for step in &workflow.nodes {
        let Step::Node(step) = step else { continue };
        if step.node != *name {
            continue;
        }
        inputs.extend(step.input.iter().filter_map(|binding| binding.target.parts().first().cloned()));
        outputs.extend(step.output.iter().filter_map(|binding| binding.source.parts().first().cloned()));
        let leaving = workflow.edges.iter().filter(|edge| edge.from == step.id);
        outcomes.extend(leaving.map(|edge| Arc::clone(&edge.outcome)));
    }
    if outcomes.is_empty() {
        outcomes.insert(Arc::from("ok"));
    }
    NodeDef {
        name: Arc::clone(name),
        input_schema: schema_of(inputs),
        output_schema: schema_of(outputs),
        outcomes: outcomes.into_iter().collect(),
        retry: None,
        timeout_seconds: None,
    }
}

/// A schema of an object with these properties, which may be anything.
fn schema_of(names: IndexSet<Arc<str>>) -> SchemaRef {
    let properties: Object = names.into_iter().map(|name| (name, Value::Object(Object::new()))).collect();
    let schema = Object::from_iter([("type", Value::from("object")), ("properties", properties.into())]);
    SchemaRef::parse(&Value::Object(schema)).unwrap_or_else(|_| SchemaRef::any_object())
}
