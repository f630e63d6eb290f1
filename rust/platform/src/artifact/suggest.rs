//! What somebody who deploys an artifact has to bind, and what could be bound to what.

use std::collections::BTreeSet;
use std::sync::Arc;

use wf_core::document::{Document, Step, Workflow};
use wf_core::value::Value;

use crate::capability::CapabilityKind;
use crate::deployment::{DependencyDiagnostic, DiagnosticSeverity, SourceBinding, SourceCatalog};
use crate::source::SourcePolicy;

use super::{WorkflowArtifact, artifact_node_name};

/// What a deployment of an artifact has to bind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BindingNeeds {
    /// Logical sources that must be bound, sorted: those nobody knows, and those whose policy demands it.
    pub required_logical_sources: Vec<Arc<str>>,
    /// Those of them that are sources themselves and enabled, bound to themselves.
    pub suggested_bindings: Vec<SourceBinding>,
}

impl WorkflowArtifact {
    /// What a deployment of this artifact has to bind.
    pub fn binding_needs<C: SourceCatalog + ?Sized>(&self, catalog: &C) -> BindingNeeds {
        let sources: BTreeSet<Arc<str>> = self
            .required_capabilities
            .iter()
            .filter(|needed| needed.kind != CapabilityKind::Workflow)
            .map(super::RequiredCapability::logical_source)
            .collect();
        let mut needs = BindingNeeds::default();
        for source in sources {
            let facts = catalog.source(&source);
            if facts.is_some_and(|facts| facts.policy != SourcePolicy::Bound) {
                continue;
            }
            if facts.is_some_and(|facts| facts.enabled) {
                needs
                    .suggested_bindings
                    .push(SourceBinding { logical_source: Arc::clone(&source), concrete_source: Arc::clone(&source) });
            }
            needs.required_logical_sources.push(source);
        }
        needs
    }

    /// Whether the plan itself may pause for a person; then it cannot be called like a function.
    pub fn interrupts(&self) -> bool {
        Workflow::parse(&Value::Object(self.plan.clone()))
            .is_ok_and(|workflow| workflow.nodes.iter().any(|step| matches!(step, Step::Interrupt(_))))
    }

    /// Why this artifact cannot be called like a function, if it cannot: it, or a workflow below it, may pause.
    pub fn interrupt_diagnostic(&self, below: &super::SavedSubgraphTree) -> Option<DependencyDiagnostic> {
        let pausing = std::iter::once(self)
            .chain(below.artifacts().map(|(_, artifact)| artifact.as_ref()))
            .find(|artifact| artifact.interrupts())?;
        let name = artifact_node_name(self);
        Some(DependencyDiagnostic {
            severity: DiagnosticSeverity::Error,
            code: "interrupting_wrapper_call_unsupported".into(),
            logical_ref: Arc::clone(&name),
            bound_source: None,
            message: format!("`{name}` cannot be called directly: `{}` may pause for an answer", pausing.reference())
                .into(),
            repair_hint: Some("run it through a deployment, where a paused run can be resumed".into()),
        })
    }
}
