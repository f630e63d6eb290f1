//! What changed between two catalogs of a source.

use std::sync::Arc;

use crate::capability::{Bucket, CapabilityBuckets};

/// Which capabilities were added, removed or changed, by kind; names are sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CatalogDiff {
    /// Tools.
    pub tools: KindDiff,
    /// Node specs.
    pub node_specs: KindDiff,
    /// Reducers.
    pub reducers: KindDiff,
    /// Prompts.
    pub prompts: KindDiff,
    /// Resources.
    pub resources: KindDiff,
}

/// The part of a [`CatalogDiff`] about one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KindDiff {
    /// There now and not before.
    pub added: Vec<Arc<str>>,
    /// There before and not now.
    pub removed: Vec<Arc<str>>,
    /// There both times, with another contract.
    pub changed: Vec<Arc<str>>,
}

impl KindDiff {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

impl CatalogDiff {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        [&self.tools, &self.node_specs, &self.reducers, &self.prompts, &self.resources]
            .into_iter()
            .all(KindDiff::is_empty)
    }
}

/// What changed from `before` to `after`; a missing catalog counts as an empty one.
pub fn catalog_diff<H>(before: Option<&CapabilityBuckets<H>>, after: Option<&CapabilityBuckets<H>>) -> CatalogDiff {
    if let (Some(before), Some(after)) = (before, after)
        && std::ptr::eq(before, after)
    {
        return CatalogDiff::default();
    }
    let none = CapabilityBuckets::default();
    let (before, after) = (before.unwrap_or(&none), after.unwrap_or(&none));
    CatalogDiff {
        tools: kind_diff(&before.tools, &after.tools),
        node_specs: kind_diff(&before.node_specs, &after.node_specs),
        reducers: kind_diff(&before.reducers, &after.reducers),
        prompts: kind_diff(&before.prompts, &after.prompts),
        resources: kind_diff(&before.resources, &after.resources),
    }
}

fn kind_diff<C: PartialEq, H>(before: &Bucket<C, H>, after: &Bucket<C, H>) -> KindDiff {
    let mut diff = KindDiff::default();
    for (name, entry) in after.iter_sorted() {
        match before.get(name) {
            None => diff.added.push(Arc::clone(name)),
            Some(old) if Arc::ptr_eq(old.contract(), entry.contract()) || old.contract() == entry.contract() => {}
            Some(_) => diff.changed.push(Arc::clone(name)),
        }
    }
    diff.removed = before.names().iter().filter(|name| !after.contains(name)).cloned().collect();
    diff
}
