//! Names of artifacts.

use std::sync::Arc;

use crate::error::PlatformError;

use super::{WorkflowArtifact, WorkflowCapabilityRef};

/// The name under which a saved workflow appears among capabilities: `workflow.<id>.v<n>`.
pub fn artifact_node_name(artifact: &WorkflowArtifact) -> Arc<str> {
    artifact.reference().to_string().into()
}

impl WorkflowArtifact {
    /// The artifact as a capability.
    pub fn reference(&self) -> WorkflowCapabilityRef {
        WorkflowCapabilityRef { artifact_id: Arc::clone(&self.id), version: self.version }
    }
}

/// Checks an id that a store uses as a key and as a path component.
///
/// # Errors
/// [`PlatformError::BadStoredId`] names the field, for example `artifact_id`.
pub fn check_stored_id(field: &'static str, id: &str) -> Result<(), PlatformError> {
    let first = id.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let rest = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    if first && rest { Ok(()) } else { Err(PlatformError::BadStoredId { field, id: id.into() }) }
}
