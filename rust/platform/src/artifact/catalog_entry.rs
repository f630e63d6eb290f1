//! An artifact as it appears in listings: its contract, without its plan.

use std::collections::BTreeSet;
use std::sync::Arc;

use wf_core::value::Object;

use crate::capability::CapabilityKind;
use crate::deployment::DependencyDiagnostic;

use super::{ArtifactKind, WorkflowArtifact, artifact_node_name};

wf_core::document! {
    /// An artifact as it appears in listings.
    #[derive(Clone, Debug, PartialEq)]
    pub struct WorkflowArtifactCatalogEntry: "WorkflowArtifactCatalogEntry" {
        /// Its name among capabilities.
        pub name: Arc<str>,
        /// Its id.
        pub artifact_id: Arc<str>,
        /// Its version.
        pub version: u32,
        /// What it is for.
        pub kind: ArtifactKind,
        /// Its title.
        pub display_name: Option<Arc<str>> = None,
        /// What it does.
        pub description: Option<Arc<str>> = None,
        /// The outcomes it may end with.
        pub outcomes: Vec<Arc<str>>,
        /// The schema of its input.
        pub input_schema: Object,
        /// The schema of its output.
        pub output_schema: Object,
        /// The logical sources it needs, sorted.
        pub required_sources: Vec<Arc<str>> = Vec::new(),
        /// What is known to be wrong with it.
        pub diagnostics: Vec<DependencyDiagnostic> = Vec::new(),
    }
    unknown Ignore;
}

impl WorkflowArtifactCatalogEntry {
    /// The entry of an artifact.
    pub fn of(artifact: &WorkflowArtifact, diagnostics: Vec<DependencyDiagnostic>) -> Self {
        // Saved workflows are found by id and version, never by a binding.
        let needs = artifact.required_capabilities.iter().filter(|needed| needed.kind != CapabilityKind::Workflow);
        let sources: BTreeSet<Arc<str>> = needs.map(super::RequiredCapability::logical_source).collect();
        Self {
            name: artifact_node_name(artifact),
            artifact_id: Arc::clone(&artifact.id),
            version: artifact.version,
            kind: artifact.kind,
            display_name: Some(Arc::clone(&artifact.title)),
            description: artifact.description.clone(),
            outcomes: artifact.outcomes.clone(),
            input_schema: artifact.input_schema.clone(),
            output_schema: artifact.output_schema.clone(),
            required_sources: sources.into_iter().collect(),
            diagnostics,
        }
    }

    /// Whether a search for `query` finds it: name, id, title, description or kind contain it, whatever the case.
    pub fn matches(&self, query: Option<&str>) -> bool {
        crate::listing::matches_query(
            [
                Some(self.name.as_ref()),
                Some(self.artifact_id.as_ref()),
                self.display_name.as_deref(),
                self.description.as_deref(),
                Some(self.kind.as_str()),
            ],
            query,
        )
    }
}
