//! References to sources and to the capabilities they own.

use std::sync::Arc;

/// The id of a capability source, such as `wf.std`: one or more non-empty segments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceRef(pub(crate) Arc<[Arc<str>]>);

/// A capability within a source, such as `add` of `wf.std`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CapabilityRef {
    /// The source that owns it.
    pub source: SourceRef,
    /// Its name within the source; never empty, may contain dots.
    pub name: Arc<str>,
}
