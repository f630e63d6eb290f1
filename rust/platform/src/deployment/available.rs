//! What deployments are checked against: the sources and their contracts, as documents or straight from a registry.

use std::sync::Arc;

use wf_core::value::Object;

use crate::artifact::SchemaEvidence;
use crate::capability::{CapabilityBuckets, CapabilityKind, SchemaSide};
use crate::error::PlatformError;
use crate::projection::{Surface, admit};
use crate::registry::Snapshot;
use crate::source::{CapabilitySource, SourcePolicy};

wf_core::document! {
    /// A capability that can be bound.
    #[derive(Clone, Debug, PartialEq)]
    pub struct AvailableCapability: "AvailableCapability" {
        /// Its name within the source.
        pub name: Arc<str>,
        /// What kind it is.
        pub kind: CapabilityKind,
        /// The hash of what its input schema promises.
        pub input_schema_hash: Option<Arc<str>> = None,
        /// The hash of what its output schema promises.
        pub output_schema_hash: Option<Arc<str>> = None,
        /// Its input schema, for a closer look.
        pub input_schema: Option<Object> = None,
        /// Its output schema, for a closer look.
        pub output_schema: Option<Object> = None,
    }
    unknown Ignore;
}

wf_core::document! {
    /// A source that can be bound.
    #[derive(Clone, Debug, PartialEq)]
    pub struct AvailableSource: "AvailableSource" {
        /// Its id.
        pub id: Arc<str>,
        /// Whether it is enabled.
        pub enabled: bool = true,
        /// Whether it is a source of the platform.
        pub platform: bool = false,
        /// What it owns, by name within the source.
        pub capabilities: Vec<(Arc<str>, AvailableCapability)> = Vec::new(),
        /// Whether a deployment must bind it; null means: unless it is a source of the platform.
        pub binding_required: Option<bool> = None,
    }
    unknown Ignore;
}

/// What a check needs to know about a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceFacts {
    /// Whether it is enabled.
    pub enabled: bool,
    /// How deployments refer to it.
    pub policy: SourcePolicy,
}

/// What a check needs to know about a capability.
#[derive(Clone, Debug, PartialEq)]
pub struct CapabilityFacts {
    /// What kind it is.
    pub kind: CapabilityKind,
    /// What is known of its input schema.
    pub input: SchemaEvidence,
    /// What is known of its output schema.
    pub output: SchemaEvidence,
    /// Why workflows may not use it.
    pub refusal: Option<PlatformError>,
}

impl CapabilityFacts {
    /// What is known of one schema.
    pub fn evidence(&self, side: SchemaSide) -> &SchemaEvidence {
        match side {
            SchemaSide::Input => &self.input,
            SchemaSide::Output => &self.output,
        }
    }
}

/// Anything that knows sources and their capabilities.
pub trait SourceCatalog {
    /// The source of that id.
    fn source(&self, id: &str) -> Option<SourceFacts>;

    /// The capability of that name within a source. Where several kinds share the name, the one that fits `wanted`
    /// comes first.
    fn capability(&self, source_id: &str, local_name: &str, wanted: CapabilityKind) -> Option<CapabilityFacts>;

    /// The names within a source, for hints.
    fn local_names(&self, source_id: &str) -> Vec<Arc<str>>;

    /// All ids, for hints.
    fn source_ids(&self) -> Vec<Arc<str>>;
}

/// Sources given as documents.
pub type AvailableSources = [AvailableSource];

impl SourceCatalog for AvailableSources {
    fn source(&self, id: &str) -> Option<SourceFacts> {
        let source = self.iter().find(|source| *source.id == *id)?;
        let policy = match (source.platform, source.binding_required) {
            (true, _) => SourcePolicy::Platform,
            (false, Some(false)) => SourcePolicy::Unbound,
            (false, _) => SourcePolicy::Bound,
        };
        Some(SourceFacts { enabled: source.enabled, policy })
    }

    fn capability(&self, source_id: &str, local_name: &str, wanted: CapabilityKind) -> Option<CapabilityFacts> {
        let source = self.iter().find(|source| *source.id == *source_id)?;
        let mut named = source
            .capabilities
            .iter()
            .filter(|(key, capability)| **key == *local_name || *capability.name == *local_name)
            .map(|(_, capability)| capability);
        let first = named.clone().find(|capability| fits(wanted, capability.kind)).or_else(|| named.next())?;
        Some(CapabilityFacts {
            kind: first.kind,
            input: SchemaEvidence { hash: first.input_schema_hash.clone(), schema: first.input_schema.clone() },
            output: SchemaEvidence { hash: first.output_schema_hash.clone(), schema: first.output_schema.clone() },
            refusal: None,
        })
    }

    fn local_names(&self, source_id: &str) -> Vec<Arc<str>> {
        let source = self.iter().find(|source| *source.id == *source_id);
        source.into_iter().flat_map(|source| source.capabilities.iter().map(|(name, _)| Arc::clone(name))).collect()
    }

    fn source_ids(&self) -> Vec<Arc<str>> {
        self.iter().map(|source| Arc::clone(&source.id)).collect()
    }
}

impl<H> SourceCatalog for Snapshot<H> {
    fn source(&self, id: &str) -> Option<SourceFacts> {
        let source = self.get(id)?.source();
        Some(SourceFacts { enabled: source.is_enabled(), policy: source.policy() })
    }

    fn capability(&self, source_id: &str, local_name: &str, wanted: CapabilityKind) -> Option<CapabilityFacts> {
        let entry = self.get(source_id)?;
        let name = entry.id().qualify(local_name);
        // A source with a longer id may own the name.
        self.owner(&name).filter(|(owner, _)| owner.id() == entry.id())?;
        let buckets = entry.source().capabilities();
        let there = |kind: &CapabilityKind| buckets.contains(*kind, &name);
        let kinds = CapabilityKind::ALL.iter().copied();
        let kind =
            kinds.clone().filter(|kind| fits(wanted, *kind)).find(there).or_else(|| kinds.clone().find(there))?;
        let evidence = |side| SchemaEvidence::default_or(buckets, kind, &name, side);
        let refusal = match kind {
            CapabilityKind::NodeSpec | CapabilityKind::Reducer if entry.source().is_enabled() => {
                admit(Surface::Planner, kind, entry, &name).err()
            }
            _ => None,
        };
        Some(CapabilityFacts {
            kind,
            input: evidence(SchemaSide::Input),
            output: evidence(SchemaSide::Output),
            refusal,
        })
    }

    fn local_names(&self, source_id: &str) -> Vec<Arc<str>> {
        let Some(entry) = self.get(source_id) else { return Vec::new() };
        let buckets = entry.source().capabilities();
        [CapabilityKind::NodeSpec, CapabilityKind::Reducer, CapabilityKind::Tool]
            .into_iter()
            .flat_map(|kind| buckets.names(kind))
            .filter_map(|name| entry.id().local_name(name).map(Arc::from))
            .collect()
    }

    fn source_ids(&self) -> Vec<Arc<str>> {
        self.iter().map(|entry| Arc::clone(entry.id().as_shared())).collect()
    }
}

/// Whether a capability of a kind meets a requirement of a kind: a tool stands for the node spec made from it.
pub(crate) fn fits(wanted: CapabilityKind, found: CapabilityKind) -> bool {
    let callable = |kind| matches!(kind, CapabilityKind::Tool | CapabilityKind::NodeSpec);
    wanted == found || (callable(wanted) && callable(found))
}

impl SchemaEvidence {
    fn default_or<H>(buckets: &CapabilityBuckets<H>, kind: CapabilityKind, name: &str, side: SchemaSide) -> Self {
        if kind != CapabilityKind::NodeSpec {
            return Self::default();
        }
        buckets.node_specs.get(name).map_or_else(Self::default, |entry| {
            let contract = entry.contract();
            Self { hash: Some(Arc::clone(contract.hash(side))), schema: Some(contract.schema(side).clone()) }
        })
    }
}

impl AvailableSource {
    /// A source as a document.
    ///
    /// A node spec wins over a reducer of the same name within the source, since the document has room for one.
    pub fn of<H>(source: &CapabilitySource<H>) -> Self {
        let mut capabilities: Vec<(Arc<str>, AvailableCapability)> = Vec::new();
        let buckets = source.capabilities();
        for (name, entry) in buckets.node_specs.iter() {
            let Some(local_name) = source.id().local_name(name) else { continue };
            let contract = entry.contract();
            let capability = AvailableCapability {
                name: local_name.into(),
                kind: CapabilityKind::NodeSpec,
                input_schema_hash: Some(Arc::clone(contract.hash(SchemaSide::Input))),
                output_schema_hash: Some(Arc::clone(contract.hash(SchemaSide::Output))),
                input_schema: None,
                output_schema: None,
            };
            capabilities.push((local_name.into(), capability));
        }
        for (name, _) in buckets.reducers.iter() {
            let Some(local_name) = source.id().local_name(name).filter(|_| !buckets.node_specs.contains(name)) else {
                continue;
            };
            let capability = AvailableCapability {
                name: local_name.into(),
                kind: CapabilityKind::Reducer,
                input_schema_hash: None,
                output_schema_hash: None,
                input_schema: None,
                output_schema: None,
            };
            capabilities.push((local_name.into(), capability));
        }
        Self {
            id: Arc::clone(source.id().as_shared()),
            enabled: source.is_enabled(),
            platform: source.policy().platform(),
            capabilities,
            binding_required: Some(source.policy().binding_required()),
        }
    }
}
