//! How deployments refer to a source.

use wf_core::value::Object;

use crate::error::PlatformError;

/// How deployments refer to a source.
///
/// The documents have two flags, `platform` and `binding_required`; this type has no room for the contradiction
/// of both being set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SourcePolicy {
    /// Part of the platform: every workflow means this very source, and no deployment may bind it elsewhere.
    Platform,
    /// A workflow names a logical source, and a deployment binds it (the default).
    #[default]
    Bound,
    /// A deployment may bind it; without a binding its id means itself.
    Unbound,
}

impl SourcePolicy {
    /// The document.
    pub fn to_object(self) -> Object {
        [("platform", self.platform()), ("binding_required", self.binding_required())].into_iter().collect()
    }

    /// The policy that two flags of a document mean.
    ///
    /// # Errors
    /// [`PlatformError::ContradictoryPolicy`] when both are set.
    pub fn from_flags(platform: bool, binding_required: bool) -> Result<Self, PlatformError> {
        match (platform, binding_required) {
            (true, true) => Err(PlatformError::ContradictoryPolicy),
            (true, false) => Ok(Self::Platform),
            (false, true) => Ok(Self::Bound),
            (false, false) => Ok(Self::Unbound),
        }
    }

    /// Whether it is a source of the platform.
    pub fn platform(self) -> bool {
        self == Self::Platform
    }

    /// Whether a deployment must bind it.
    pub fn binding_required(self) -> bool {
        self == Self::Bound
    }
}
