//! Where a source comes from.

wf_core::text_enum! {
    /// Where a source comes from.
    pub enum SourceKind {
        /// Part of the platform.
        System = "system",
        /// Something outside, such as an upstream MCP server or a directory of files.
        Connection = "connection",
        /// A trusted Python module.
        Python = "python",
    }
}
