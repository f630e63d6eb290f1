//! What an operator decided about a source, apart from what its provider declares.

use std::sync::Arc;

use crate::glob::Globs;

use super::SourceVisibility;

/// What an operator decided about a source.
///
/// Kept by id and apart from the source, so that it outlives a restart and a source that is away for a while.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceOverrides {
    /// Enabled or disabled, whatever the provider says.
    pub enabled: Option<bool>,
    /// Shown where, whatever the provider says.
    pub visibility: Option<SourceVisibility>,
    /// Local names that workflows may use although the source is not safe for workflows.
    pub allow: Globs,
    /// Local names that no planner and no client may see or call; stronger than `allow`.
    pub deny: Globs,
    /// A remark for other operators.
    pub notes: Option<Arc<str>>,
}

impl SourceOverrides {
    /// Whether nothing was decided.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
