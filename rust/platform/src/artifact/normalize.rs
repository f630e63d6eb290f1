//! From concrete to logical: what an author tried out against real sources becomes a workflow that any deployment
//! can bind.

use std::sync::Arc;

use indexmap::IndexMap;
use wf_core::refs::{CapabilityRef, SourceRef};
use wf_core::value::{Object, Value};

use crate::capability::CapabilityKind;
use crate::contracts::ContractCatalog;
use crate::deployment::SourceBinding;

use super::RequiredCapability;

/// A concrete name as the workflow will say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogicalRef {
    /// `<logical source>.<name>`.
    pub logical_ref: Arc<str>,
    /// The logical source.
    pub logical_source: Arc<str>,
    /// The name within the source.
    pub capability_name: Arc<str>,
    /// The concrete source.
    pub concrete_source: Arc<str>,
}

/// A plan over logical sources, and what it turned out to need.
#[derive(Clone, Debug, PartialEq)]
pub struct NormalizedPlan {
    /// The plan.
    pub plan: Object,
    /// The requirements of the names that were rewritten.
    pub requirements: Vec<RequiredCapability>,
}

/// The logical name of a concrete one, if one of the bindings has its source; the longest concrete id counts.
pub fn logical_ref_for_concrete_ref(name: &str, bindings: &[SourceBinding]) -> Option<LogicalRef> {
    let within = |binding: &SourceBinding| {
        let rest = name.strip_prefix(binding.concrete_source.as_ref())?.strip_prefix('.')?;
        (!rest.is_empty()).then(|| (binding.clone(), Arc::<str>::from(rest)))
    };
    // Of equally long ids the first binding counts, so the later must be strictly longer.
    let longest = bindings
        .iter()
        .filter_map(within)
        .reduce(|best, next| if next.0.concrete_source.len() > best.0.concrete_source.len() { next } else { best });
    let (binding, capability_name) = longest?;
    Some(LogicalRef {
        logical_ref: format!("{}.{capability_name}", binding.logical_source).into(),
        logical_source: binding.logical_source,
        capability_name,
        concrete_source: binding.concrete_source,
    })
}

/// Rewrites the concrete names of nodes and reducers, and notes what each was observed to be.
pub fn normalize_plan_node_refs(
    plan: &Object,
    bindings: &[SourceBinding],
    catalog: &dyn ContractCatalog,
) -> NormalizedPlan {
    let mut rewriter = Rewriter { bindings, catalog, requirements: IndexMap::new() };
    let mut plan = plan.clone();
    if let Some(Value::List(nodes)) = plan.get("nodes") {
        let nodes = nodes.iter().map(|node| rewriter.node(node)).collect();
        plan.insert("nodes", Value::List(nodes));
    }
    if let Some(Value::Object(schema)) = plan.get("state_schema") {
        let schema = rewriter.state_schema(schema);
        plan.insert("state_schema", schema);
    }
    NormalizedPlan { plan, requirements: rewriter.requirements.into_values().collect() }
}

struct Rewriter<'a> {
    bindings: &'a [SourceBinding],
    catalog: &'a dyn ContractCatalog,
    requirements: IndexMap<Arc<str>, RequiredCapability>,
}

impl Rewriter<'_> {
    /// The logical name, and a note of the requirement; `None` leaves the name as it is.
    fn logical(&mut self, name: &str, kind: CapabilityKind) -> Option<LogicalRef> {
        let logical = logical_ref_for_concrete_ref(name, self.bindings)?;
        // A known source with a longer id owns the name, and it is not the one that is bound.
        if let Some((owner, _)) = self.catalog.owner_of(name)
            && owner.len() > logical.concrete_source.len()
        {
            return None;
        }
        let source = SourceRef::parse(&logical.logical_source).ok()?;
        let reference = CapabilityRef::new(source, Arc::clone(&logical.capability_name)).ok()?;
        let mut requirement = RequiredCapability::unobserved(reference, kind);
        if kind == CapabilityKind::NodeSpec
            && let Some(contract) = self.catalog.node_contract(name)
        {
            requirement = requirement.observing(&contract);
        }
        requirement.observed_concrete_source = Some(Arc::clone(&logical.concrete_source));
        self.requirements.insert(Arc::clone(&logical.logical_ref), requirement);
        Some(logical)
    }

    fn node(&mut self, node: &Value) -> Value {
        let Value::Object(object) = node else { return node.clone() };
        let Some(name) = object.get("node").and_then(Value::as_str) else { return node.clone() };
        let Some(logical) = self.logical(name, CapabilityKind::NodeSpec) else { return node.clone() };
        let mut object = object.clone();
        object.insert("node", logical.logical_ref);
        Value::Object(object)
    }

    /// A schema of the state; `reducer` is a keyword here, and a name like any other below `properties`.
    fn state_schema(&mut self, schema: &Object) -> Object {
        let mut rewritten = Object::with_capacity(schema.len());
        for (keyword, value) in schema {
            let value = match (keyword.as_ref(), value) {
                ("reducer", value) => self.reducer(value),
                ("properties" | "$defs" | "definitions" | "fields" | "patternProperties", Value::Object(map)) => map
                    .iter()
                    .map(|(name, schema)| (Arc::clone(name), self.subschema(schema)))
                    .collect::<Object>()
                    .into(),
                ("items" | "additionalProperties", Value::Object(_)) => self.subschema(value),
                ("allOf" | "anyOf" | "oneOf" | "fields", Value::List(list)) => {
                    Value::List(list.iter().map(|schema| self.subschema(schema)).collect())
                }
                (_, value) => value.clone(),
            };
            rewritten.insert(Arc::clone(keyword), value);
        }
        rewritten
    }

    fn subschema(&mut self, schema: &Value) -> Value {
        schema.as_object().map_or_else(|| schema.clone(), |schema| self.state_schema(schema).into())
    }

    fn reducer(&mut self, reducer: &Value) -> Value {
        match reducer {
            Value::String(name) => self
                .logical(name, CapabilityKind::Reducer)
                .map_or_else(|| reducer.clone(), |logical| logical.logical_ref.into()),
            Value::Object(object) => {
                let mut rewritten = object.clone();
                for key in ["ref", "name"] {
                    let Some(value) = object.get(key) else { continue };
                    let Ok(reference) = CapabilityRef::from_value(value) else { continue };
                    if let Some(logical) = self.logical(&reference.to_string(), CapabilityKind::Reducer) {
                        rewritten.insert(key, logical.logical_ref);
                    }
                }
                Value::Object(rewritten)
            }
            _ => reducer.clone(),
        }
    }
}
