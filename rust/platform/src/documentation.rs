//! Documentation as a source: manuals as resources, guides as prompts.

use std::sync::Arc;

use crate::capability::{CapabilityBuckets, Entry, PromptContract, ResourceContract};
use crate::id::SourceId;
use crate::source::{CapabilitySource, SourceKind, SourceVisibility};

/// The id of the documentation source.
pub const DOCUMENTATION_SOURCE_ID: &str = "wf.docs";

wf_core::document! {
    /// A manual.
    #[derive(Clone, Debug, PartialEq)]
    pub struct DocumentationResource: "DocumentationResource" {
        /// Its qualified name, for example `wf.docs.operator_manual`.
        pub name: Arc<str>,
        /// Where it is read, for example `wf://docs/operator-manual`.
        pub uri: Arc<str>,
        /// Its title.
        pub title: Arc<str>,
        /// What it explains.
        pub description: Arc<str>,
        /// Its media type.
        pub mime_type: Arc<str>,
        /// The text.
        pub text: Arc<str>,
    }
    unknown Forbid;
}

wf_core::document! {
    /// A guide.
    #[derive(Clone, Debug, PartialEq)]
    pub struct DocumentationPrompt: "DocumentationPrompt" {
        /// Its qualified name, for example `wf.docs.operator_guide`.
        pub name: Arc<str>,
        /// Its title.
        pub title: Arc<str>,
        /// What it is for.
        pub description: Arc<str>,
        /// The text.
        pub text: Arc<str>,
    }
    unknown Forbid;
}

impl DocumentationResource {
    /// The contract of the manual as a resource.
    pub fn contract(&self) -> ResourceContract {
        ResourceContract {
            uri: Arc::clone(&self.uri),
            title: Some(Arc::clone(&self.title)),
            description: Some(Arc::clone(&self.description)),
            mime_type: Some(Arc::clone(&self.mime_type)),
            text: Some(Arc::clone(&self.text)),
            ..ResourceContract::default()
        }
    }
}

impl DocumentationPrompt {
    /// The contract of the guide as a prompt.
    pub fn contract(&self) -> PromptContract {
        PromptContract {
            title: Some(Arc::clone(&self.title)),
            description: Some(Arc::clone(&self.description)),
            text: Some(Arc::clone(&self.text)),
            ..PromptContract::default()
        }
    }
}

/// The source `wf.docs`: shown to clients and on the admin page, and to no planner, since it owns nothing to run.
pub fn build_documentation_source<H>(
    resources: impl IntoIterator<Item = (DocumentationResource, Option<H>)>,
    prompts: impl IntoIterator<Item = (DocumentationPrompt, Option<H>)>,
) -> CapabilitySource<H> {
    let mut buckets = CapabilityBuckets::default();
    for (resource, handle) in resources {
        buckets.resources.insert(Arc::clone(&resource.name), entry(resource.contract(), handle));
    }
    for (prompt, handle) in prompts {
        buckets.prompts.insert(Arc::clone(&prompt.name), entry(prompt.contract(), handle));
    }
    CapabilitySource::new(SourceId::known(DOCUMENTATION_SOURCE_ID), SourceKind::System)
        .with_capabilities(buckets)
        .with_visibility(SourceVisibility { client: true, ..SourceVisibility::default() })
        .with_description("Manuals and guides of the platform.")
}

fn entry<C, H>(contract: C, handle: Option<H>) -> Entry<C, H> {
    match handle {
        Some(handle) => Entry::new(contract, handle),
        None => Entry::contract_only(contract),
    }
}
