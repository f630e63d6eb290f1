//! The form of ids that a store accepts.

use super::StoreError;

/// Which id it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdField {
    /// `artifact_id`.
    Artifact,
    /// `deployment_id`.
    Deployment,
    /// `run_id`.
    Run,
}

impl IdField {
    /// The name of the field.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Artifact => "artifact_id",
            Self::Deployment => "deployment_id",
            Self::Run => "run_id",
        }
    }
}

/// Checks that an id matches `^[A-Za-z0-9_][A-Za-z0-9_.-]*$`.
///
/// # Errors
/// [`StoreError::IdInvalid`] when it does not.
pub fn check_id(field: IdField, id: &str) -> Result<(), StoreError> {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let fine = id.bytes().next().is_some_and(word) && id.bytes().all(|byte| word(byte) || b".-".contains(&byte));
    if fine { Ok(()) } else { Err(StoreError::IdInvalid { field, id: id.to_owned() }) }
}
