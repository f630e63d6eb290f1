//! The registry: the sources of a process, changed by one writer at a time, read without waiting.
//!
//! A reader takes a [`Snapshot`] and sees one consistent state for as long as it keeps it. A writer builds the next
//! snapshot, swaps it in, and then tells the subscribers, in the order of the changes.

#![expect(clippy::disallowed_types, reason = "the registry is the one thing here that threads share; see above")]

mod change;
mod diff;
mod entry;
mod snapshot;

pub use change::{Change, ChangeKind, Subscriber, SubscriptionId};
pub use diff::{CatalogDiff, KindDiff, catalog_diff};
pub use entry::SourceEntry;
pub use snapshot::{Found, Snapshot};

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};

use crate::capability::CapabilityKind;
use crate::error::PlatformError;
use crate::id::SourceId;
use crate::source::{CapabilitySource, SourceHealth, SourceKind, SourceOverrides};

use change::Subscribers;

/// The sources of a process by id.
///
/// ```
/// # use wf_platform::registry::SourceRegistry;
/// # use wf_platform::source::{CapabilitySource, SourceKind};
/// # use wf_platform::SourceId;
/// let registry = SourceRegistry::<()>::new();
/// let before = registry.snapshot();
/// registry.add(CapabilitySource::new(SourceId::parse("local.ops")?, SourceKind::Python))?;
/// assert_eq!((before.len(), registry.snapshot().len()), (0, 1));
/// # Ok::<(), wf_platform::PlatformError>(())
/// ```
pub struct SourceRegistry<H> {
    current: RwLock<Arc<Snapshot<H>>>,
    /// Held while a writer prepares the next snapshot, so that no change is lost.
    writing: Mutex<()>,
    /// Changes that subscribers have not heard of yet.
    pending: Mutex<VecDeque<Change<H>>>,
    /// Held by the one thread that tells the subscribers.
    telling: Mutex<()>,
    subscribers: Mutex<Subscribers<H>>,
}

impl<H> Default for SourceRegistry<H> {
    fn default() -> Self {
        Self::new()
    }
}

/// A change to make: of which source, what kind, and the entry that stands there afterwards.
type Decision<H> = (SourceId, ChangeKind, Option<SourceEntry<H>>);

/// Whether an id under `wf.` is wanted or refused.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    Platform,
    Ordinary,
}

impl<H> SourceRegistry<H> {
    /// A registry without sources.
    pub fn new() -> Self {
        Self {
            current: RwLock::new(Arc::new(Snapshot::empty())),
            writing: Mutex::new(()),
            pending: Mutex::new(VecDeque::new()),
            telling: Mutex::new(()),
            subscribers: Mutex::new(Subscribers::default()),
        }
    }

    /// The sources as they are now.
    pub fn snapshot(&self) -> Arc<Snapshot<H>> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds a source under a new id.
    ///
    /// # Errors
    /// A reserved, taken or look-alike id, or a capability whose name is not under the id.
    pub fn add(&self, source: CapabilitySource<H>) -> Result<(), PlatformError> {
        self.insert(source, Names::Ordinary)
    }

    /// Adds a source of the platform: its kind is `system` and its id is under `wf.`.
    ///
    /// # Errors
    /// Any other id or kind, and as [`SourceRegistry::add`].
    pub fn add_builtin(&self, source: CapabilitySource<H>) -> Result<(), PlatformError> {
        self.insert(source, Names::Platform)
    }

    fn insert(&self, source: CapabilitySource<H>, names: Names) -> Result<(), PlatformError> {
        match names {
            Names::Ordinary if source.id().is_reserved() => {
                return Err(PlatformError::ReservedSourceId { id: source.id().as_shared().clone() });
            }
            Names::Platform if !source.id().as_str().starts_with("wf.") || source.kind() != SourceKind::System => {
                return Err(PlatformError::NotASystemId { id: source.id().as_shared().clone() });
            }
            Names::Ordinary | Names::Platform => {}
        }
        check_names(&source)?;
        self.write(|snapshot| {
            let id = source.id().clone();
            snapshot.check_new(&id)?;
            let entry = SourceEntry::new(source, snapshot.overrides(id.as_str()), SourceHealth::default());
            Ok(Some((id, ChangeKind::Added, Some(entry))))
        })
    }

    /// Replaces what is known of a source: its capabilities and everything its provider declares. The operator's
    /// overrides and the source's health stay.
    ///
    /// # Errors
    /// An unknown id, or a capability whose name is not under the id.
    pub fn replace(&self, source: CapabilitySource<H>) -> Result<(), PlatformError> {
        check_names(&source)?;
        self.write(|snapshot| {
            let id = source.id().clone();
            let before = snapshot.require(id.as_str())?;
            let entry = SourceEntry::new(source, before.overrides().clone(), before.health().clone());
            Ok(Some((id, ChangeKind::Replaced, Some(entry))))
        })
    }

    /// Removes a source. The operator's overrides stay and apply again when a source of this id comes back.
    ///
    /// # Errors
    /// An unknown id.
    pub fn remove(&self, id: &str) -> Result<(), PlatformError> {
        self.write(|snapshot| {
            let entry = snapshot.require(id)?;
            Ok(Some((entry.id().clone(), ChangeKind::Removed, None)))
        })
    }

    /// Enables a source, whatever its provider declares. Nothing changes when it is enabled already.
    ///
    /// # Errors
    /// An unknown id.
    pub fn enable(&self, id: &str) -> Result<(), PlatformError> {
        self.switch(id, ChangeKind::Enabled)
    }

    /// Disables a source, whatever its provider declares. Nothing changes when it is disabled already.
    ///
    /// # Errors
    /// An unknown id, or the source through which sources are enabled.
    pub fn disable(&self, id: &str) -> Result<(), PlatformError> {
        self.switch(id, ChangeKind::Disabled)
    }

    fn switch(&self, id: &str, change: ChangeKind) -> Result<(), PlatformError> {
        let wanted = change == ChangeKind::Enabled;
        self.write(|snapshot| {
            let entry = snapshot.require(id)?;
            if !wanted && entry.id().is_admin() {
                return Err(PlatformError::CannotDisable { id: entry.id().as_shared().clone() });
            }
            if entry.overrides().enabled == Some(wanted) {
                return Ok(None);
            }
            let overrides = SourceOverrides { enabled: Some(wanted), ..entry.overrides().as_ref().clone() };
            Ok(Some((entry.id().clone(), change, Some(entry.with_overrides(Arc::new(overrides))))))
        })
    }

    /// Sets what the operator decided about a source. An id without a source keeps its overrides until one comes.
    ///
    /// # Errors
    /// Overrides that disable the source through which sources are enabled.
    pub fn set_overrides(&self, id: &SourceId, overrides: SourceOverrides) -> Result<(), PlatformError> {
        if overrides.enabled == Some(false) && id.is_admin() {
            return Err(PlatformError::CannotDisable { id: id.as_shared().clone() });
        }
        let overrides = Arc::new(overrides);
        {
            let writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
            let before = self.snapshot();
            if *before.overrides(id.as_str()) == *overrides {
                return Ok(());
            }
            let entry = before.get(id.as_str()).map(|entry| entry.with_overrides(Arc::clone(&overrides)));
            self.publish(&writing, &before, before.with_overrides(id, overrides, entry), id, ChangeKind::Overridden);
        }
        self.tell();
        Ok(())
    }

    /// Notes how a source is doing.
    ///
    /// # Errors
    /// An unknown id.
    pub fn set_health(&self, id: &str, health: SourceHealth) -> Result<(), PlatformError> {
        self.write(|snapshot| {
            let entry = snapshot.require(id)?;
            if *entry.health() == health {
                return Ok(None);
            }
            Ok(Some((entry.id().clone(), ChangeKind::HealthChanged, Some(entry.with_health(health)))))
        })
    }

    /// Calls `subscriber` after every change, in the order of the changes, on the thread of one of the writers.
    ///
    /// The subscriber sees the change's snapshots, may read the registry, and may change it: its own changes are
    /// told after it returns.
    pub fn subscribe(&self, subscriber: Subscriber<H>) -> SubscriptionId {
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner).add(subscriber)
    }

    /// Stops a subscription; whether there was one.
    pub fn unsubscribe(&self, id: SubscriptionId) -> bool {
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner).remove(id)
    }

    /// One change: decide on the state as it is, then publish. `None` means that nothing changes.
    fn write(
        &self,
        decide: impl FnOnce(&Snapshot<H>) -> Result<Option<Decision<H>>, PlatformError>,
    ) -> Result<(), PlatformError> {
        {
            let writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
            let before = self.snapshot();
            let Some((id, kind, entry)) = decide(&before)? else { return Ok(()) };
            self.publish(&writing, &before, before.with_entry(&id, entry), &id, kind);
        }
        self.tell();
        Ok(())
    }

    /// Swaps the next snapshot in and queues the change while still holding the write lock, so that the queue has
    /// the order of the revisions.
    fn publish(
        &self,
        _writing: &MutexGuard<'_, ()>,
        before: &Arc<Snapshot<H>>,
        after: Snapshot<H>,
        id: &SourceId,
        kind: ChangeKind,
    ) {
        let after = Arc::new(after);
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&after);
        let change = Change::new(id.clone(), kind, Arc::clone(before), after);
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).push_back(change);
    }

    /// Tells the subscribers everything that is queued, unless another thread (or a subscriber further up the
    /// stack) is at it already and will do so.
    fn tell(&self) {
        loop {
            let telling = match self.telling.try_lock() {
                Ok(guard) => guard,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => return,
            };
            while let Some(change) = self.next_pending() {
                let subscribers = self.subscribers.lock().unwrap_or_else(PoisonError::into_inner).all();
                for subscriber in subscribers {
                    subscriber(&change);
                }
            }
            drop(telling);
            // A change queued between the last look and the release found this thread still telling.
            if self.pending.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
                return;
            }
        }
    }

    fn next_pending(&self) -> Option<Change<H>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}

/// Capabilities are found by their source's id, so their names must be under it. Prompts and resources of the
/// platform are the exception: manuals are named after what they explain.
fn check_names<H>(source: &CapabilitySource<H>) -> Result<(), PlatformError> {
    for &kind in CapabilityKind::ALL {
        let manual = matches!(kind, CapabilityKind::Prompt | CapabilityKind::Resource);
        if manual && source.id().is_reserved() {
            continue;
        }
        let names = source.capabilities().names(kind);
        if let Some(name) = names.iter().find(|name| source.id().local_name(name).is_none()) {
            return Err(PlatformError::ForeignCapability {
                source_id: source.id().as_shared().clone(),
                kind,
                name: Arc::clone(name),
            });
        }
    }
    Ok(())
}
