//! What subscribers of the registry are told.

use std::sync::Arc;

use wf_core::document::Document;
use wf_core::value::{Object, Value};

use crate::id::SourceId;
use crate::source::CapabilitySource;

use super::{CatalogDiff, Snapshot, SourceEntry, catalog_diff};

/// What happened to a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// Its provider declares something else now.
    Replaced,
    /// It is gone.
    Removed,
    /// An operator enabled it.
    Enabled,
    /// An operator disabled it.
    Disabled,
    /// An operator changed its overrides.
    Overridden,
    /// It is doing better or worse.
    HealthChanged,
}

impl ChangeKind {
    /// The name in events.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Replaced => "replaced",
            Self::Removed => "removed",
            Self::Enabled => "enabled",
            Self::Disabled => "disabled",
            Self::Overridden => "overridden",
            Self::HealthChanged => "health_changed",
        }
    }
}

/// One change of the registry, with the state before and after it.
#[derive(Clone, Debug)]
pub struct Change<H> {
    id: SourceId,
    kind: ChangeKind,
    before: Arc<Snapshot<H>>,
    after: Arc<Snapshot<H>>,
}

impl<H> Change<H> {
    pub(super) fn new(id: SourceId, kind: ChangeKind, before: Arc<Snapshot<H>>, after: Arc<Snapshot<H>>) -> Self {
        Self { id, kind, before, after }
    }

    /// The source that changed.
    pub fn id(&self) -> &SourceId {
        &self.id
    }

    /// What happened.
    pub fn kind(&self) -> ChangeKind {
        self.kind
    }

    /// The revision the change led to.
    pub fn revision(&self) -> u64 {
        self.after.revision()
    }

    /// The registry before the change.
    pub fn before(&self) -> &Arc<Snapshot<H>> {
        &self.before
    }

    /// The registry after the change.
    pub fn after(&self) -> &Arc<Snapshot<H>> {
        &self.after
    }

    /// The source before the change, if there was one.
    pub fn entry_before(&self) -> Option<&Arc<SourceEntry<H>>> {
        self.before.get(self.id.as_str())
    }

    /// The source after the change, if there is one.
    pub fn entry_after(&self) -> Option<&Arc<SourceEntry<H>>> {
        self.after.get(self.id.as_str())
    }

    /// The kind of the event that keeps this change: `source_added`, `source_disabled` and so on.
    pub fn event_kind(&self) -> String {
        format!("source_{}", self.kind.as_str())
    }

    /// What the event that keeps this change says: who did what to which source, and how it was before and after.
    /// When, says whoever keeps it.
    pub fn event_payload(&self, actor: Option<&str>) -> Object {
        let state = |snapshot: &Snapshot<H>| {
            let mut state = Object::with_capacity(4);
            let source = snapshot.get(self.id.as_str()).map(|entry| entry.source());
            state.insert("present", source.is_some());
            state.insert("enabled", source.map(CapabilitySource::is_enabled));
            state.insert("visibility", source.map(|source| source.visibility().dump()));
            state.insert("overrides", snapshot.overrides(self.id.as_str()).dump());
            state
        };
        let mut payload = Object::with_capacity(6);
        payload.insert("source_id", Arc::clone(self.id.as_shared()));
        payload.insert("change", self.kind.as_str());
        payload.insert("actor", actor.map(Value::from));
        payload.insert("revision", Value::Int(i64::try_from(self.revision()).unwrap_or(i64::MAX)));
        payload.insert("before", state(&self.before));
        payload.insert("after", state(&self.after));
        payload
    }

    /// Which capabilities the change added, removed or changed.
    pub fn catalog_diff(&self) -> CatalogDiff {
        let buckets =
            |entry: Option<&Arc<SourceEntry<H>>>| entry.map(|entry| Arc::clone(entry.source().capabilities()));
        catalog_diff(buckets(self.entry_before()).as_deref(), buckets(self.entry_after()).as_deref())
    }
}

/// Names a subscription, for ending it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SubscriptionId(u64);

/// What is called after every change.
pub type Subscriber<H> = Arc<dyn Fn(&Change<H>) + Send + Sync>;

pub(super) struct Subscribers<H> {
    next: u64,
    list: Vec<(SubscriptionId, Subscriber<H>)>,
}

impl<H> Default for Subscribers<H> {
    fn default() -> Self {
        Self { next: 0, list: Vec::new() }
    }
}

impl<H> Subscribers<H> {
    pub(super) fn add(&mut self, subscriber: Subscriber<H>) -> SubscriptionId {
        let id = SubscriptionId(self.next);
        self.next += 1;
        self.list.push((id, subscriber));
        id
    }

    pub(super) fn remove(&mut self, id: SubscriptionId) -> bool {
        let before = self.list.len();
        self.list.retain(|(other, _)| *other != id);
        self.list.len() < before
    }

    pub(super) fn all(&self) -> Vec<Subscriber<H>> {
        self.list.iter().map(|(_, subscriber)| Arc::clone(subscriber)).collect()
    }
}
