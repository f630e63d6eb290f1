//! How deployments refer to a source.

use wf_core::document::{Definitions, Document, FieldInfo, Part, Reader, View};
use wf_core::value::Value;

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

wf_core::document! {
    /// How deployments refer to a source.
    #[derive(Clone, Debug, PartialEq)]
    struct Flags: "SourcePolicy" {
        /// Whether it is a source of the platform, which no deployment binds elsewhere.
        platform: bool = false,
        /// Whether a deployment must bind it; a source of the platform cannot require that.
        binding_required: bool = true,
    }
    unknown Forbid;
}

impl SourcePolicy {
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

    fn flags(self) -> Flags {
        Flags { platform: self.platform(), binding_required: self.binding_required() }
    }
}

impl Part for SourcePolicy {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let flags = Flags::read(value, reader)?;
        match Self::from_flags(flags.platform, flags.binding_required) {
            Ok(policy) => Some(policy),
            Err(error) => {
                reader.hinted_problem(error.code(), error.to_string(), error.hint());
                None
            }
        }
    }

    fn write(&self) -> Value {
        self.flags().write()
    }

    fn schema(definitions: &mut Definitions) -> Value {
        Flags::schema(definitions)
    }

    fn view(&self) -> View {
        View::document(self)
    }
}

impl Document for SourcePolicy {
    const NAME: &'static str = Flags::NAME;

    fn fields() -> &'static [FieldInfo] {
        <Flags as Document>::fields()
    }

    fn field(&self, name: &str) -> Option<View> {
        self.flags().field(name)
    }
}
