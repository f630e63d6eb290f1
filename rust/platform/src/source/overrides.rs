//! What an operator decided about a source, apart from what its provider declares.

use std::sync::Arc;

use crate::glob::Globs;

use super::SourceVisibility;

wf_core::document! {
    /// What an operator decided about a source.
    /// Kept by id and apart from the source, so that it outlives a restart and a source that is away for a while.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct SourceOverrides: "SourceOverrides" {
        /// Enabled or disabled, whatever the provider says; null leaves it to the provider.
        pub enabled: Option<bool> = None,
        /// Shown where, whatever the provider says; null leaves it to the provider.
        pub visibility: Option<SourceVisibility> = None,
        /// Patterns of local names that workflows may use although the source is not safe for workflows.
        pub allow: Globs = Globs::none(),
        /// Patterns of local names that no planner and no client may see or call; stronger than `allow`.
        pub deny: Globs = Globs::none(),
        /// A remark for other operators.
        pub notes: Option<Arc<str>> = None,
    }
    unknown Forbid;
}

impl SourceOverrides {
    /// Whether nothing was decided.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
