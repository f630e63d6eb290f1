//! What the capabilities of a source may do.

wf_core::document! {
    /// What the capabilities of a source may do.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct SourcePermissions: "SourcePermissions" {
        /// A workflow may use them without being allowed one by one.
        pub safe_for_workflow: bool = false,
        /// They call something outside this process.
        pub calls_upstream: bool = false,
        /// They change configuration.
        pub mutates_config: bool = false,
        /// They change credentials.
        pub mutates_auth: bool = false,
    }
    unknown Forbid;
}

impl SourcePermissions {
    /// Whether they are for operators only: a client's model must not find tools that change what it may do.
    pub fn privileged(self) -> bool {
        self.mutates_config || self.mutates_auth
    }
}
