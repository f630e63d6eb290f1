//! The registry at one moment.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::capability::{Bucket, ToolContract};
use crate::capability::{CapabilityKind, Entry, NodeContract, PromptContract, ReducerContract, ResourceContract};
use crate::error::PlatformError;
use crate::id::{SourceId, clash_keys};
use crate::nearest::nearest;
use crate::source::SourceOverrides;

use super::SourceEntry;

/// The sources of a process at one moment, sorted by id; never changes.
#[derive(Debug)]
pub struct Snapshot<H> {
    revision: u64,
    /// Sorted by id, so that listing needs no sort, and hashed, so that a lookup costs the same for any number.
    sources: IndexMap<SourceId, Arc<SourceEntry<H>>, FxBuildHasher>,
    /// Which id stands under each way of looking.
    clashes: IndexMap<String, SourceId, FxBuildHasher>,
    /// By id, of sources that are there and of sources that may come back.
    overrides: IndexMap<SourceId, Arc<SourceOverrides>, FxBuildHasher>,
}

/// A capability and the source that owns it.
#[derive(Debug)]
pub struct Found<'a, C, H> {
    /// The owner.
    pub entry: &'a Arc<SourceEntry<H>>,
    /// The name within the owner.
    pub local_name: &'a str,
    /// The capability.
    pub capability: &'a Entry<C, H>,
}

impl<C, H> Clone for Found<'_, C, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, H> Copy for Found<'_, C, H> {}

impl<H> Snapshot<H> {
    pub(super) fn empty() -> Self {
        Self { revision: 0, sources: IndexMap::default(), clashes: IndexMap::default(), overrides: IndexMap::default() }
    }

    /// Counts the changes since the registry was made.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// How many sources there are.
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// All sources sorted by id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Arc<SourceEntry<H>>> + Clone {
        self.sources.values()
    }

    /// The sources at these places of the sorted list.
    pub fn range(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = &Arc<SourceEntry<H>>> {
        self.sources.get_range(range).into_iter().flat_map(|part| part.values())
    }

    /// The source of that id.
    pub fn get(&self, id: &str) -> Option<&Arc<SourceEntry<H>>> {
        self.sources.get(id)
    }

    /// The source of that id.
    ///
    /// # Errors
    /// [`PlatformError::UnknownSource`] with the ids that come close.
    pub fn require(&self, id: &str) -> Result<&Arc<SourceEntry<H>>, PlatformError> {
        self.get(id).ok_or_else(|| PlatformError::UnknownSource {
            id: id.into(),
            nearest: nearest(id, self.sources.keys().map(SourceId::as_str)),
        })
    }

    /// What the operator decided about a source, whether it is there or not.
    pub fn overrides(&self, id: &str) -> Arc<SourceOverrides> {
        self.overrides.get(id).cloned().unwrap_or_default()
    }

    /// Every id with overrides, sorted.
    pub fn all_overrides(&self) -> impl Iterator<Item = (&SourceId, &Arc<SourceOverrides>)> {
        self.overrides.iter()
    }

    /// The source that a qualified name belongs to, and the name within it: of all sources whose id is a prefix, the
    /// one with the longest id, whether or not it has such a capability.
    pub fn owner<'a>(&'a self, qualified: &'a str) -> Option<(&'a Arc<SourceEntry<H>>, &'a str)> {
        let mut end = qualified.len();
        while let Some(dot) = qualified[..end].rfind('.') {
            let local_name = &qualified[dot + 1..];
            if let Some(entry) = self.get(&qualified[..dot]).filter(|_| !local_name.is_empty()) {
                return Some((entry, local_name));
            }
            end = dot;
        }
        None
    }

    /// The node spec of that qualified name.
    ///
    /// # Errors
    /// [`PlatformError::UnknownCapability`] with the names that come close.
    pub fn node_spec<'a>(&'a self, name: &'a str) -> Result<Found<'a, NodeContract, H>, PlatformError> {
        self.find(CapabilityKind::NodeSpec, name, |entry| &entry.source().capabilities().node_specs)
    }

    /// The reducer of that qualified name.
    ///
    /// # Errors
    /// [`PlatformError::UnknownCapability`] with the names that come close.
    pub fn reducer<'a>(&'a self, name: &'a str) -> Result<Found<'a, ReducerContract, H>, PlatformError> {
        self.find(CapabilityKind::Reducer, name, |entry| &entry.source().capabilities().reducers)
    }

    /// The tool of that qualified name.
    ///
    /// # Errors
    /// [`PlatformError::UnknownCapability`] with the names that come close.
    pub fn tool<'a>(&'a self, name: &'a str) -> Result<Found<'a, ToolContract, H>, PlatformError> {
        self.find(CapabilityKind::Tool, name, |entry| &entry.source().capabilities().tools)
    }

    /// The prompt of that qualified name.
    ///
    /// # Errors
    /// [`PlatformError::UnknownCapability`] with the names that come close.
    pub fn prompt<'a>(&'a self, name: &'a str) -> Result<Found<'a, PromptContract, H>, PlatformError> {
        self.find(CapabilityKind::Prompt, name, |entry| &entry.source().capabilities().prompts)
    }

    /// The resource of that qualified name.
    ///
    /// # Errors
    /// [`PlatformError::UnknownCapability`] with the names that come close.
    pub fn resource<'a>(&'a self, name: &'a str) -> Result<Found<'a, ResourceContract, H>, PlatformError> {
        self.find(CapabilityKind::Resource, name, |entry| &entry.source().capabilities().resources)
    }

    fn find<'a, C>(
        &'a self,
        kind: CapabilityKind,
        name: &'a str,
        bucket: impl Fn(&'a SourceEntry<H>) -> &'a Bucket<C, H>,
    ) -> Result<Found<'a, C, H>, PlatformError> {
        if let Some((entry, local_name)) = self.owner(name)
            && let Some(capability) = bucket(entry).get(name)
        {
            return Ok(Found { entry, local_name, capability });
        }
        if matches!(kind, CapabilityKind::Prompt | CapabilityKind::Resource)
            && let Some((entry, capability)) =
                self.platform_sources().find_map(|entry| Some((entry, bucket(entry).get(name)?)))
        {
            return Ok(Found { entry, local_name: name, capability });
        }
        Err(self.unknown_capability(Some(kind), name))
    }

    /// The sources under `wf.`; their manuals may be named after what they explain.
    fn platform_sources(&self) -> impl Iterator<Item = &Arc<SourceEntry<H>>> {
        let start = self.sources.partition_point(|id, _| id.as_str() < "wf.");
        self.range(start..self.sources.len()).take_while(|entry| entry.id().as_str().starts_with("wf."))
    }

    /// The error for a name that nobody owns, with hints from the source it points to, else from all of them.
    pub fn unknown_capability(&self, kind: Option<CapabilityKind>, name: &str) -> PlatformError {
        let kinds: Vec<CapabilityKind> = kind.map_or_else(|| CapabilityKind::ALL.to_vec(), |kind| vec![kind]);
        let names = |entry: &'_ Arc<SourceEntry<H>>| -> Vec<Arc<str>> {
            let buckets = Arc::clone(entry.source().capabilities());
            kinds.iter().flat_map(|&kind| buckets.names(kind).to_vec()).collect()
        };
        let owned: Vec<Arc<str>> = match self.owner(name) {
            Some((entry, _)) => names(entry),
            None => self.iter().flat_map(names).collect(),
        };
        PlatformError::UnknownCapability {
            kind,
            name: name.into(),
            nearest: nearest(name, owned.iter().map(AsRef::as_ref)),
        }
    }

    /// Names that a source claims and nobody can reach, since a source with a longer id owns them.
    pub fn shadowed(&self, id: &str) -> Vec<Arc<str>> {
        let Some(entry) = self.get(id) else { return Vec::new() };
        let buckets = entry.source().capabilities();
        CapabilityKind::ALL
            .iter()
            .flat_map(|&kind| buckets.names(kind))
            .filter(|name| {
                entry.id().local_name(name).is_some()
                    && self.owner(name).is_some_and(|(owner, _)| owner.id() != entry.id())
            })
            .cloned()
            .collect()
    }

    /// Whether a source may have this id besides those that are there.
    ///
    /// # Errors
    /// A taken or look-alike id.
    pub fn check_new(&self, id: &SourceId) -> Result<(), PlatformError> {
        if self.sources.contains_key(id) {
            return Err(PlatformError::DuplicateSourceId { id: id.as_shared().clone() });
        }
        match clash_keys(id).iter().find_map(|key| self.clashes.get(key)) {
            Some(existing) => Err(PlatformError::CollidingSourceId {
                id: id.as_shared().clone(),
                existing: existing.as_shared().clone(),
            }),
            None => Ok(()),
        }
    }

    /// The next snapshot, in which `id` has this entry, or none.
    pub(super) fn with_entry(&self, id: &SourceId, entry: Option<SourceEntry<H>>) -> Self {
        let mut next = self.next();
        if let Some(entry) = entry {
            if entry.overrides().is_default() {
                next.overrides.shift_remove(id);
            } else {
                next.overrides.insert_sorted(id.clone(), Arc::clone(entry.overrides()));
            }
            if next.sources.insert_sorted(id.clone(), Arc::new(entry)).1.is_none() {
                next.clashes.extend(clash_keys(id).map(|key| (key, id.clone())));
            }
        } else {
            next.sources.shift_remove(id);
            next.clashes.retain(|_, other| other != id);
        }
        next
    }

    /// The next snapshot, in which `id` has these overrides, and this entry if there is one.
    pub(super) fn with_overrides(
        &self,
        id: &SourceId,
        overrides: Arc<SourceOverrides>,
        entry: Option<SourceEntry<H>>,
    ) -> Self {
        if entry.is_some() {
            return self.with_entry(id, entry);
        }
        let mut next = self.next();
        if overrides.is_default() {
            next.overrides.shift_remove(id);
        } else {
            next.overrides.insert_sorted(id.clone(), overrides);
        }
        next
    }

    fn next(&self) -> Self {
        Self {
            revision: self.revision + 1,
            sources: self.sources.clone(),
            clashes: self.clashes.clone(),
            overrides: self.overrides.clone(),
        }
    }
}
