//! Why a store refused or failed.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use super::{IdField, RunStatus};
use wf_core::value::repr_text;

/// Why a store refused or failed. Clones share the cause, since one failed commit fails everybody in it.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// An id that is no id.
    #[error("{} must start with alphanumeric or underscore and contain only [A-Za-z0-9_.-]", field.as_str())]
    IdInvalid {
        /// Which id.
        field: IdField,
        /// What was given.
        id: String,
    },
    /// The version is there already, with other content.
    #[error("workflow artifact {artifact_id}@{version} exists with other content; artifacts are immutable")]
    ArtifactExists {
        /// The artifact.
        artifact_id: Arc<str>,
        /// Its version.
        version: u32,
    },
    /// There is no such artifact, or no such version of it.
    #[error("unknown workflow artifact {}", version.map_or_else(|| repr_text(artifact_id), |version| format!("{artifact_id}@{version}")))]
    ArtifactUnknown {
        /// The artifact.
        artifact_id: Arc<str>,
        /// The version, when one was named.
        version: Option<u32>,
    },
    /// There is no such deployment.
    #[error("unknown workflow deployment {}", repr_text(deployment_id))]
    DeploymentUnknown {
        /// The deployment.
        deployment_id: Arc<str>,
    },
    /// There is no such run.
    #[error("unknown workflow run {}", repr_text(run_id))]
    RunUnknown {
        /// The run.
        run_id: Arc<str>,
    },
    /// The id of a new run is taken.
    #[error("workflow run {} exists", repr_text(run_id))]
    RunExists {
        /// The run.
        run_id: Arc<str>,
    },
    /// The idempotency key of a new run is taken.
    #[error("key {} already started workflow run {}", repr_text(key), repr_text(run_id))]
    KeyTaken {
        /// The key.
        key: Arc<str>,
        /// The run that has it.
        run_id: Arc<str>,
    },
    /// The journal is longer or shorter than the writer believes, so somebody else wrote to it.
    #[error("workflow run {} has {found} journal records where its writer expected {expected}", repr_text(run_id))]
    JournalConflict {
        /// The run.
        run_id: Arc<str>,
        /// The length the writer expected.
        expected: u64,
        /// The length there is.
        found: u64,
    },
    /// Another process drives the run now.
    #[error("the lease on workflow run {} was lost to another process", repr_text(run_id))]
    LeaseLost {
        /// The run.
        run_id: Arc<str>,
    },
    /// Another process drives the run.
    #[error("workflow run {} is driven by {} until {until}", repr_text(run_id), repr_text(owner))]
    LeaseTaken {
        /// The run.
        run_id: Arc<str>,
        /// Who holds the lease.
        owner: Arc<str>,
        /// When it runs out.
        until: u64,
    },
    /// A record is not what was written.
    #[error("{what} of workflow run {} is damaged: {problem}", repr_text(run_id))]
    RecordDamaged {
        /// The run.
        run_id: Arc<str>,
        /// Which record.
        what: String,
        /// What is wrong.
        problem: String,
    },
    /// A document in the store cannot be read.
    #[error("stored {what} is damaged: {problem}")]
    DocumentDamaged {
        /// Which document.
        what: String,
        /// What is wrong.
        problem: String,
    },
    /// The file cannot be opened or made.
    #[error("cannot open the store `{}`: {cause}", path.display())]
    Unavailable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        cause: Arc<io::Error>,
    },
    /// The file is a database of something else, or no database.
    #[error("`{}` is not a workflow store: {problem}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What tells so.
        problem: String,
    },
    /// The file was written by a later version of this library.
    #[error("the store `{}` has layout {found}, this version knows up to {known}", path.display())]
    TooNew {
        /// The file.
        path: PathBuf,
        /// The layout of the file.
        found: i64,
        /// The latest layout known here.
        known: i64,
    },
    /// Another process kept the database locked for too long.
    #[error("the store is locked by another process: {cause}")]
    Busy {
        /// What the database said.
        #[source]
        cause: Arc<rusqlite::Error>,
    },
    /// The disk is full.
    #[error("the disk is full: {cause}")]
    Full {
        /// What the database said.
        #[source]
        cause: Arc<rusqlite::Error>,
    },
    /// The database is damaged.
    #[error("the store is damaged: {cause}")]
    Damaged {
        /// What the database said.
        #[source]
        cause: Arc<rusqlite::Error>,
    },
    /// The database failed in another way.
    #[error("the store failed: {cause}")]
    Failed {
        /// What the database said.
        #[source]
        cause: Arc<rusqlite::Error>,
    },
    /// Somebody else's write in the same commit panicked.
    #[error("the commit was abandoned because another write in it panicked")]
    Abandoned,
    /// A number or a document that a store cannot hold.
    #[error("cannot store {what}")]
    Unstorable {
        /// What it is.
        what: String,
    },
}

impl StoreError {
    /// Every code with one sentence, for documentation and for the test that each has a case.
    pub const CODES: [(&'static str, &'static str); 19] = [
        ("store.id_invalid", "an id has characters that no id has"),
        ("artifact_exists", "the version of the artifact exists with other content"),
        ("artifact.unknown", "there is no such artifact or version"),
        ("deployment.unknown", "there is no such deployment"),
        ("run.unknown", "there is no such run"),
        ("run.exists", "the id of a new run is taken"),
        ("run.key_taken", "the idempotency key of a new run is taken"),
        ("run.journal_conflict", "somebody else wrote to the run's journal"),
        ("run.lease_lost", "another process took the run over"),
        ("run.lease_taken", "another process drives the run"),
        ("store.record_damaged", "a record of a run is not what was written"),
        ("store.document_damaged", "a stored document cannot be read"),
        ("store.unavailable", "the file of the store cannot be opened"),
        ("store.foreign", "the file is no workflow store"),
        ("store.too_new", "the store was written by a later version"),
        ("store.busy", "another process keeps the store locked"),
        ("store.full", "the disk is full"),
        ("store.damaged", "the database is damaged"),
        ("store.failed", "the database failed"),
    ];

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::IdInvalid { .. } => "store.id_invalid",
            Self::ArtifactExists { .. } => "artifact_exists",
            Self::ArtifactUnknown { .. } => "artifact.unknown",
            Self::DeploymentUnknown { .. } => "deployment.unknown",
            Self::RunUnknown { .. } => "run.unknown",
            Self::RunExists { .. } => "run.exists",
            Self::KeyTaken { .. } => "run.key_taken",
            Self::JournalConflict { .. } => "run.journal_conflict",
            Self::LeaseLost { .. } => "run.lease_lost",
            Self::LeaseTaken { .. } => "run.lease_taken",
            Self::RecordDamaged { .. } => "store.record_damaged",
            Self::DocumentDamaged { .. } => "store.document_damaged",
            Self::Unavailable { .. } => "store.unavailable",
            Self::Foreign { .. } => "store.foreign",
            Self::TooNew { .. } => "store.too_new",
            Self::Busy { .. } => "store.busy",
            Self::Full { .. } => "store.full",
            Self::Damaged { .. } => "store.damaged",
            Self::Failed { .. } | Self::Abandoned | Self::Unstorable { .. } => "store.failed",
        }
    }

    pub(super) fn artifact_unknown(artifact_id: &str, version: Option<u32>) -> Self {
        Self::ArtifactUnknown { artifact_id: Arc::from(artifact_id), version }
    }

    pub(super) fn deployment_unknown(deployment_id: &str) -> Self {
        Self::DeploymentUnknown { deployment_id: Arc::from(deployment_id) }
    }

    pub(super) fn run_unknown(run_id: &str) -> Self {
        Self::RunUnknown { run_id: Arc::from(run_id) }
    }

    pub(super) fn lease_lost(run_id: &str) -> Self {
        Self::LeaseLost { run_id: Arc::from(run_id) }
    }

    pub(super) fn status_unknown(name: &str) -> Self {
        Self::DocumentDamaged {
            what: "run".to_owned(),
            problem: format!("`{name}` is no status; {}", RunStatus::names()),
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, NotADatabase};

        let code = error.sqlite_error_code();
        let cause = Arc::new(error);
        match code {
            Some(DatabaseBusy | DatabaseLocked) => Self::Busy { cause },
            Some(DiskFull) => Self::Full { cause },
            Some(DatabaseCorrupt | NotADatabase) => Self::Damaged { cause },
            _ => Self::Failed { cause },
        }
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    #[test]
    fn what_the_database_says_is_told_apart_as_far_as_a_caller_can_act_on_it() {
        for (number, code) in [
            (ffi::SQLITE_BUSY, "store.busy"),
            (ffi::SQLITE_LOCKED, "store.busy"),
            (ffi::SQLITE_FULL, "store.full"),
            (ffi::SQLITE_CORRUPT, "store.damaged"),
            (ffi::SQLITE_NOTADB, "store.damaged"),
            (ffi::SQLITE_IOERR, "store.failed"),
            (ffi::SQLITE_CONSTRAINT, "store.failed"),
        ] {
            let error = StoreError::from(rusqlite::Error::SqliteFailure(ffi::Error::new(number), None));
            assert_eq!(error.code(), code);
            assert!(StoreError::CODES.iter().any(|(known, _)| *known == code));
        }
    }
}
