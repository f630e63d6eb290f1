//! Capability sources: who owns capabilities, who may see them, and what they may do.

mod health;
mod kind;
mod overrides;
mod permissions;
mod policy;
mod visibility;

pub use health::{SourceHealth, SourceState};
pub use kind::SourceKind;
pub use overrides::SourceOverrides;
pub use permissions::SourcePermissions;
pub use policy::SourcePolicy;
pub use visibility::SourceVisibility;

use std::sync::Arc;

use crate::capability::CapabilityBuckets;
use crate::id::SourceId;

/// A named owner of capabilities, as its provider declares it.
///
/// An immutable value: the `with_…` functions give changed copies, and copies share their buckets.
///
/// ```
/// # use wf_platform::source::{CapabilitySource, SourceKind, SourcePolicy};
/// # use wf_platform::SourceId;
/// let source = CapabilitySource::<()>::new(SourceId::parse("local.ops")?, SourceKind::Python)
///     .with_description("House operations.");
/// assert!(source.is_enabled() && !source.visibility().planner);
/// assert_eq!(source.policy(), SourcePolicy::Bound);
/// # Ok::<(), wf_platform::PlatformError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CapabilitySource<H> {
    id: SourceId,
    kind: SourceKind,
    enabled: bool,
    visibility: SourceVisibility,
    permissions: SourcePermissions,
    policy: SourcePolicy,
    description: Option<Arc<str>>,
    capabilities: Arc<CapabilityBuckets<H>>,
}

impl<H> CapabilitySource<H> {
    /// An enabled source without capabilities, with the default visibility, permissions and policy.
    pub fn new(id: SourceId, kind: SourceKind) -> Self {
        Self {
            id,
            kind,
            enabled: true,
            visibility: SourceVisibility::default(),
            permissions: SourcePermissions::default(),
            policy: SourcePolicy::default(),
            description: None,
            capabilities: Arc::default(),
        }
    }

    /// A copy that owns these capabilities.
    #[must_use]
    pub fn with_capabilities(mut self, capabilities: impl Into<Arc<CapabilityBuckets<H>>>) -> Self {
        self.capabilities = capabilities.into();
        self
    }

    /// A copy that is enabled.
    #[must_use]
    pub fn enabled(mut self) -> Self {
        self.enabled = true;
        self
    }

    /// A copy that is disabled.
    #[must_use]
    pub fn disabled(mut self) -> Self {
        self.enabled = false;
        self
    }

    /// A copy with this visibility.
    #[must_use]
    pub fn with_visibility(mut self, visibility: SourceVisibility) -> Self {
        self.visibility = visibility;
        self
    }

    /// A copy with these permissions.
    #[must_use]
    pub fn with_permissions(mut self, permissions: SourcePermissions) -> Self {
        self.permissions = permissions;
        self
    }

    /// A copy with this policy.
    #[must_use]
    pub fn with_policy(mut self, policy: SourcePolicy) -> Self {
        self.policy = policy;
        self
    }

    /// A copy with this description.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<Arc<str>>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Its id.
    pub fn id(&self) -> &SourceId {
        &self.id
    }

    /// Where it comes from.
    pub fn kind(&self) -> SourceKind {
        self.kind
    }

    /// Whether it takes part at all.
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// Which surfaces show it.
    pub fn visibility(&self) -> SourceVisibility {
        self.visibility
    }

    /// What its capabilities may do.
    pub fn permissions(&self) -> SourcePermissions {
        self.permissions
    }

    /// How deployments refer to it.
    pub fn policy(&self) -> SourcePolicy {
        self.policy
    }

    /// What it is.
    pub fn description(&self) -> Option<&Arc<str>> {
        self.description.as_ref()
    }

    /// What it owns.
    pub fn capabilities(&self) -> &Arc<CapabilityBuckets<H>> {
        &self.capabilities
    }
}

impl<H> CapabilitySource<H> {
    /// A copy that shares the buckets; unlike `clone` it asks nothing of the handle.
    pub(crate) fn shared(&self) -> Self {
        Self {
            id: self.id.clone(),
            kind: self.kind,
            enabled: self.enabled,
            visibility: self.visibility,
            permissions: self.permissions,
            policy: self.policy,
            description: self.description.clone(),
            capabilities: Arc::clone(&self.capabilities),
        }
    }

    /// The source as it takes part once the operator's overrides are applied.
    #[must_use]
    pub fn overridden(mut self, overrides: &SourceOverrides) -> Self {
        self.enabled = overrides.enabled.unwrap_or(self.enabled);
        self.visibility = overrides.visibility.unwrap_or(self.visibility);
        self
    }
}
