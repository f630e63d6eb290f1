//! What the capabilities of a source may do.

use wf_core::value::Object;

/// What the capabilities of a source may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four independent flags, named as in the documents")]
pub struct SourcePermissions {
    /// A workflow may use them without being allowed one by one.
    pub safe_for_workflow: bool,
    /// They call something outside this process.
    pub calls_upstream: bool,
    /// They change configuration.
    pub mutates_config: bool,
    /// They change credentials.
    pub mutates_auth: bool,
}

impl SourcePermissions {
    /// The document.
    pub fn to_object(self) -> Object {
        [
            ("safe_for_workflow", self.safe_for_workflow),
            ("calls_upstream", self.calls_upstream),
            ("mutates_config", self.mutates_config),
            ("mutates_auth", self.mutates_auth),
        ]
        .into_iter()
        .collect()
    }

    /// Whether they are for operators only: a client's model must not find tools that change what it may do.
    pub fn privileged(self) -> bool {
        self.mutates_config || self.mutates_auth
    }
}
