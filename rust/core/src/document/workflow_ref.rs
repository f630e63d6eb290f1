//! References to other workflows.

use std::sync::Arc;

/// Which workflow a subgraph step runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WorkflowRef {
    /// By name, as prepared by the caller.
    Name(Arc<str>),
    /// A saved artifact.
    Artifact {
        /// The artifact's id.
        artifact_id: Arc<str>,
        /// Its version, from 1.
        version: u32,
    },
}
