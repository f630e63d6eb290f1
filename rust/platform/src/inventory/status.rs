//! The compact status of a source: flags, counts, and a preview of names.

use std::sync::Arc;

use crate::capability::{CapabilityBuckets, CapabilityKind};
use crate::source::{CapabilitySource, SourceKind, SourcePermissions, SourcePolicy, SourceVisibility};

use super::SourceCapabilityInventory;

/// How many names of each kind a status shows.
pub const SOURCE_PREVIEW_LIMIT: usize = 3;

wf_core::document! {
    /// The first names of each kind, sorted.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct SourceCapabilityPreview: "SourceCapabilityPreview" {
        /// Tools.
        pub tools: Vec<Arc<str>> = Vec::new(),
        /// Node specs.
        pub node_specs: Vec<Arc<str>> = Vec::new(),
        /// Reducers.
        pub reducers: Vec<Arc<str>> = Vec::new(),
        /// Prompts.
        pub prompts: Vec<Arc<str>> = Vec::new(),
        /// Resources.
        pub resources: Vec<Arc<str>> = Vec::new(),
    }
    unknown Ignore;
}

wf_core::document! {
    /// Of which kinds a preview leaves names out.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct SourceCapabilityHasMore: "SourceCapabilityHasMore" {
        /// Tools.
        pub tools: bool = false,
        /// Node specs.
        pub node_specs: bool = false,
        /// Reducers.
        pub reducers: bool = false,
        /// Prompts.
        pub prompts: bool = false,
        /// Resources.
        pub resources: bool = false,
    }
    unknown Ignore;
}

/// A status, and further fields behind it.
macro_rules! status_document {
    ($(#[doc = $doc:literal])+ $Name:ident: $public:literal { $($extra:tt)* }) => {
        wf_core::document! {
            $(#[doc = $doc])+
            #[derive(Clone, Debug, PartialEq)]
            pub struct $Name: $public {
                /// Its id.
                pub id: Arc<str>,
                /// Where it comes from.
                pub kind: SourceKind,
                /// Whether it takes part at all.
                pub enabled: bool,
                /// Which surfaces show it.
                pub visibility: SourceVisibility,
                /// What its capabilities may do.
                pub permissions: SourcePermissions,
                /// How deployments refer to it.
                pub policy: SourcePolicy,
                /// What it is.
                pub description: Option<Arc<str>> = None,
                /// How many tools it owns.
                pub tool_count: u32 = 0,
                /// How many node specs it owns.
                pub node_spec_count: u32 = 0,
                /// How many reducers it owns.
                pub reducer_count: u32 = 0,
                /// How many prompts it owns.
                pub prompt_count: u32 = 0,
                /// How many resources it owns.
                pub resource_count: u32 = 0,
                /// The first names of each kind.
                pub preview: SourceCapabilityPreview = SourceCapabilityPreview::default(),
                /// Of which kinds the preview leaves names out.
                pub has_more: SourceCapabilityHasMore = SourceCapabilityHasMore::default(),
                $($extra)*
            }
            unknown Ignore;
        }
    };
}

status_document! {
    /// What a source is, how many capabilities it owns, and the first few of their names.
    SourceStatus: "SourceStatus" {}
}

status_document! {
    /// A source's status and everything it owns.
    SourceInventory: "SourceInventory" {
        /// What it owns.
        pub capabilities: SourceCapabilityInventory = SourceCapabilityInventory::default(),
    }
}

impl SourceCapabilityPreview {
    fn of<H>(buckets: &CapabilityBuckets<H>) -> Self {
        let first = |kind| buckets.names(kind).iter().take(SOURCE_PREVIEW_LIMIT).cloned().collect();
        Self {
            tools: first(CapabilityKind::Tool),
            node_specs: first(CapabilityKind::NodeSpec),
            reducers: first(CapabilityKind::Reducer),
            prompts: first(CapabilityKind::Prompt),
            resources: first(CapabilityKind::Resource),
        }
    }
}

impl SourceCapabilityHasMore {
    fn of<H>(buckets: &CapabilityBuckets<H>) -> Self {
        let more = |kind| buckets.names(kind).len() > SOURCE_PREVIEW_LIMIT;
        Self {
            tools: more(CapabilityKind::Tool),
            node_specs: more(CapabilityKind::NodeSpec),
            reducers: more(CapabilityKind::Reducer),
            prompts: more(CapabilityKind::Prompt),
            resources: more(CapabilityKind::Resource),
        }
    }
}

impl SourceStatus {
    /// The status of a source.
    pub fn of<H>(source: &CapabilitySource<H>) -> Self {
        let buckets = source.capabilities();
        let count = |kind| u32::try_from(buckets.names(kind).len()).unwrap_or(u32::MAX);
        Self {
            id: Arc::clone(source.id().as_shared()),
            kind: source.kind(),
            enabled: source.is_enabled(),
            visibility: source.visibility(),
            permissions: source.permissions(),
            policy: source.policy(),
            description: source.description().cloned(),
            tool_count: count(CapabilityKind::Tool),
            node_spec_count: count(CapabilityKind::NodeSpec),
            reducer_count: count(CapabilityKind::Reducer),
            prompt_count: count(CapabilityKind::Prompt),
            resource_count: count(CapabilityKind::Resource),
            preview: SourceCapabilityPreview::of(buckets),
            has_more: SourceCapabilityHasMore::of(buckets),
        }
    }
}

impl SourceInventory {
    /// The inventory of a source.
    pub fn of<H>(source: &CapabilitySource<H>) -> Self {
        let SourceStatus {
            id,
            kind,
            enabled,
            visibility,
            permissions,
            policy,
            description,
            tool_count,
            node_spec_count,
            reducer_count,
            prompt_count,
            resource_count,
            preview,
            has_more,
        } = SourceStatus::of(source);
        Self {
            id,
            kind,
            enabled,
            visibility,
            permissions,
            policy,
            description,
            tool_count,
            node_spec_count,
            reducer_count,
            prompt_count,
            resource_count,
            preview,
            has_more,
            capabilities: SourceCapabilityInventory::of(source),
        }
    }
}
