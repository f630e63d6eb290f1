//! Why an operation of the application was refused or failed.

use std::sync::Arc;

use thiserror::Error;
use wf_core::document::DocumentError;
use wf_core::run::RunError;
use wf_core::value::repr_text;
use wf_platform::PlatformError;
use wf_platform::admin::AdminFailure;

use crate::store::StoreError;

/// Why an operation was refused or failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ApiError {
    /// A rule of the platform refuses it.
    #[error(transparent)]
    Platform(#[from] PlatformError),
    /// The store refuses it or failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A document does not have the right form.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// The run refuses the event; it is as it was before.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A trace before its beginning.
    #[error("trace_range.start must be >= 0")]
    TraceStart,
    /// A trace without entries.
    #[error("trace_range.limit must be > 0")]
    TraceLimit,
    /// A page of runs that is too long or empty.
    #[error("limit must be between 1 and 100")]
    RunLimit,
    /// A cursor that is none of ours.
    #[error("cursor must be a non-negative integer offset")]
    RunCursor,
    /// A status that no run has.
    #[error("status must be one of: interrupted, completed, failed, running, cancelled")]
    RunStatus {
        /// What was given.
        got: String,
    },
    /// A kind that no artifact has.
    #[error("kind must be one of: workflow, wrapper")]
    ArtifactKind {
        /// What was given.
        got: String,
    },
    /// A version that no artifact has.
    #[error("version must be between 1 and {}, got {got}", u32::MAX)]
    ArtifactVersion {
        /// What was given.
        got: i64,
    },
    /// Only an interrupted run can be resumed.
    #[error("workflow run {} is not interrupted", repr_text(run_id))]
    NotInterrupted {
        /// The run.
        run_id: Arc<str>,
        /// Where it stands.
        status: &'static str,
    },
    /// Only a failed run can be tried again.
    #[error("workflow run {} has not failed", repr_text(run_id))]
    NotFailed {
        /// The run.
        run_id: Arc<str>,
        /// Where it stands.
        status: &'static str,
    },
    /// The stored run cannot be read.
    #[error("stored workflow run {} cannot be read: {problem}", repr_text(run_id))]
    RunDamaged {
        /// The run.
        run_id: Arc<str>,
        /// What is wrong with it.
        problem: String,
    },
    /// A deployment of another artifact.
    #[error("deployment {} does not target {target}", repr_text(deployment_id))]
    DeploymentTarget {
        /// The deployment.
        deployment_id: Arc<str>,
        /// What was to be called.
        target: String,
    },
    /// An operation that the control plane does not have.
    #[error("there is no admin operation {}", repr_text(name))]
    AdminOperation {
        /// The name.
        name: Arc<str>,
        /// Those that there are.
        known: String,
    },
    /// Arguments for an operation that takes none.
    #[error("admin operation {} takes no arguments, got {got}", repr_text(name))]
    AdminArguments {
        /// The operation.
        name: Arc<str>,
        /// What was given.
        got: String,
    },
    /// A connection whose id is taken.
    #[error("connection {} already exists", repr_text(id))]
    ConnectionExists {
        /// Its id.
        id: Arc<str>,
    },
    /// A connection that is not configured.
    #[error("connection {} does not exist", repr_text(id))]
    ConnectionUnknown {
        /// Its id.
        id: Arc<str>,
    },
    /// An id that no connection has.
    #[error("connection id {} must look like '<server>.<account>'", repr_text(id))]
    ConnectionId {
        /// What was given.
        id: Arc<str>,
    },
    /// The operating system gives no randomness.
    #[error("the system gives no random numbers: {problem}")]
    NoRandomness {
        /// What it said.
        problem: String,
    },
}

impl From<AdminFailure> for ApiError {
    fn from(failure: AdminFailure) -> Self {
        match failure {
            AdminFailure::Arguments(error) => error.into(),
            AdminFailure::Refused(error) => error.into(),
            other => Self::AdminOperation { name: other.to_string().into(), known: String::new() },
        }
    }
}

impl ApiError {
    /// The stable code.
    pub fn code(&self) -> &str {
        match self {
            Self::Platform(error) => error.code(),
            Self::Store(error) => error.code(),
            Self::Document(_) => "document.invalid",
            Self::Run(error) => error.code(),
            Self::TraceStart | Self::TraceLimit => "run.trace_range",
            Self::RunLimit => "page.limit_out_of_range",
            Self::RunCursor => "page.foreign_cursor",
            Self::RunStatus { .. } => "run.unknown_status",
            Self::ArtifactKind { .. } => "artifact.unknown_kind",
            Self::ArtifactVersion { .. } => "artifact.version_out_of_range",
            Self::NotInterrupted { .. } => "run.not_interrupted",
            Self::NotFailed { .. } => "run.not_failed",
            Self::RunDamaged { .. } => "run.damaged",
            Self::DeploymentTarget { .. } => "deployment.other_target",
            Self::AdminOperation { .. } => "admin.unknown_operation",
            Self::AdminArguments { .. } => "admin.no_arguments",
            Self::ConnectionExists { .. } => "connection.exists",
            Self::ConnectionUnknown { .. } => "connection.unknown",
            Self::ConnectionId { .. } => "connection.id_invalid",
            Self::NoRandomness { .. } => "system.no_randomness",
        }
    }

    /// Whether something that was stored cannot be read any more.
    pub(crate) fn is_damage(&self) -> bool {
        match self {
            Self::RunDamaged { .. } => true,
            Self::Store(error) => matches!(
                error,
                StoreError::RecordDamaged { .. } | StoreError::DocumentDamaged { .. } | StoreError::Damaged { .. }
            ),
            _ => false,
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Platform(error) => error.hint(),
            Self::NotInterrupted { status, .. } | Self::NotFailed { status, .. } => Some(format!("it is {status}")),
            Self::AdminOperation { known, .. } => Some(format!("there are: {known}")),
            Self::Store(StoreError::ArtifactExists { .. }) => Some("save it under the next version".to_owned()),
            _ => None,
        }
    }
}
