//! A source in the registry.

use std::sync::Arc;

use crate::id::SourceId;
use crate::source::{CapabilitySource, SourceHealth, SourceOverrides, SourceState};

/// A source in the registry: what its provider declares, what the operator decided, and how it is doing.
#[derive(Clone, Debug)]
pub struct SourceEntry<H> {
    declared: CapabilitySource<H>,
    effective: CapabilitySource<H>,
    overrides: Arc<SourceOverrides>,
    health: SourceHealth,
}

impl<H> SourceEntry<H> {
    pub(super) fn new(declared: CapabilitySource<H>, overrides: Arc<SourceOverrides>, health: SourceHealth) -> Self {
        let effective = declared.shared().overridden(&overrides);
        Self { declared, effective, overrides, health }
    }

    pub(super) fn with_overrides(&self, overrides: Arc<SourceOverrides>) -> Self {
        Self::new(self.declared.shared(), overrides, self.health.clone())
    }

    pub(super) fn with_health(&self, health: SourceHealth) -> Self {
        Self::new(self.declared.shared(), Arc::clone(&self.overrides), health)
    }

    /// Its id.
    pub fn id(&self) -> &SourceId {
        self.declared.id()
    }

    /// The source as it takes part: what every surface and every call goes by.
    pub fn source(&self) -> &CapabilitySource<H> {
        &self.effective
    }

    /// The source as its provider declares it.
    pub fn declared(&self) -> &CapabilitySource<H> {
        &self.declared
    }

    /// What the operator decided.
    pub fn overrides(&self) -> &Arc<SourceOverrides> {
        &self.overrides
    }

    /// What is known about the last contact with it.
    pub fn health(&self) -> &SourceHealth {
        &self.health
    }

    /// How it is doing at `now` (milliseconds since the epoch).
    pub fn state(&self, now: u64) -> SourceState {
        self.health.state(self.effective.is_enabled(), now)
    }
}
