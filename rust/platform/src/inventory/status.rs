//! The compact status of a source: flags, counts, and a preview of names.

use std::sync::Arc;

use wf_core::value::{Object, Value};

use crate::capability::{CapabilityBuckets, CapabilityKind};
use crate::source::{CapabilitySource, SourceKind, SourcePermissions, SourcePolicy, SourceVisibility};

/// How many names of each kind a status shows.
pub const SOURCE_PREVIEW_LIMIT: usize = 3;

/// The kinds a status counts, in the order of the document, with the key of the plural.
const COUNTED: [(CapabilityKind, &str, &str); 5] = [
    (CapabilityKind::Tool, "tools", "tool_count"),
    (CapabilityKind::NodeSpec, "node_specs", "node_spec_count"),
    (CapabilityKind::Reducer, "reducers", "reducer_count"),
    (CapabilityKind::Prompt, "prompts", "prompt_count"),
    (CapabilityKind::Resource, "resources", "resource_count"),
];

/// What a source is, how many capabilities it owns, and the first few of their names.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceStatus {
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
    pub description: Option<Arc<str>>,
    /// How many it owns: tools, node specs, reducers, prompts, resources.
    pub counts: [usize; 5],
    /// The first names of each kind.
    pub preview: KindNames,
    /// Of which kinds the preview leaves names out.
    pub has_more: KindFlags,
}

/// Sorted names by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KindNames {
    /// Tools.
    pub tools: Arc<[Arc<str>]>,
    /// Node specs.
    pub node_specs: Arc<[Arc<str>]>,
    /// Reducers.
    pub reducers: Arc<[Arc<str>]>,
    /// Prompts.
    pub prompts: Arc<[Arc<str>]>,
    /// Resources.
    pub resources: Arc<[Arc<str>]>,
}

/// A flag by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "one flag for each kind, named as in the documents")]
pub struct KindFlags {
    /// Tools.
    pub tools: bool,
    /// Node specs.
    pub node_specs: bool,
    /// Reducers.
    pub reducers: bool,
    /// Prompts.
    pub prompts: bool,
    /// Resources.
    pub resources: bool,
}

impl KindNames {
    fn preview<H>(buckets: &CapabilityBuckets<H>) -> Self {
        let first =
            |kind| -> Arc<[Arc<str>]> { buckets.names(kind).iter().take(SOURCE_PREVIEW_LIMIT).cloned().collect() };
        Self {
            tools: first(CapabilityKind::Tool),
            node_specs: first(CapabilityKind::NodeSpec),
            reducers: first(CapabilityKind::Reducer),
            prompts: first(CapabilityKind::Prompt),
            resources: first(CapabilityKind::Resource),
        }
    }

    fn to_object(&self) -> Object {
        [
            ("tools", &self.tools),
            ("node_specs", &self.node_specs),
            ("reducers", &self.reducers),
            ("prompts", &self.prompts),
            ("resources", &self.resources),
        ]
        .into_iter()
        .map(|(key, names)| (key, names_value(names)))
        .collect()
    }
}

impl KindFlags {
    fn to_object(self) -> Object {
        [
            ("tools", self.tools),
            ("node_specs", self.node_specs),
            ("reducers", self.reducers),
            ("prompts", self.prompts),
            ("resources", self.resources),
        ]
        .into_iter()
        .collect()
    }
}

impl SourceStatus {
    /// The status of a source.
    pub fn of<H>(source: &CapabilitySource<H>) -> Self {
        let buckets = source.capabilities();
        let counts = COUNTED.map(|(kind, ..)| buckets.names(kind).len());
        let [tools, node_specs, reducers, prompts, resources] = counts.map(|count| count > SOURCE_PREVIEW_LIMIT);
        Self {
            id: Arc::clone(source.id().as_shared()),
            kind: source.kind(),
            enabled: source.is_enabled(),
            visibility: source.visibility(),
            permissions: source.permissions(),
            policy: source.policy(),
            description: source.description().cloned(),
            counts,
            preview: KindNames::preview(buckets),
            has_more: KindFlags { tools, node_specs, reducers, prompts, resources },
        }
    }

    /// The document.
    pub fn to_object(&self) -> Object {
        let mut status = Object::with_capacity(14);
        status.insert("id", Arc::clone(&self.id));
        status.insert("kind", self.kind.as_str());
        status.insert("enabled", self.enabled);
        status.insert("visibility", self.visibility.to_object());
        status.insert("permissions", self.permissions.to_object());
        status.insert("policy", self.policy.to_object());
        status.insert("description", self.description.clone());
        for ((_, _, key), count) in COUNTED.into_iter().zip(self.counts) {
            status.insert(key, count_value(count));
        }
        status.insert("preview", self.preview.to_object());
        status.insert("has_more", self.has_more.to_object());
        status
    }
}

pub(super) fn names_value(names: &[Arc<str>]) -> Value {
    Value::List(names.iter().map(|name| Value::String(Arc::clone(name))).collect())
}

/// A count fits `i64` on every machine that could hold as many things.
pub(super) fn count_value(count: usize) -> Value {
    Value::Int(i64::try_from(count).unwrap_or(i64::MAX))
}
