//! Stores: what survives the process.
//!
//! Five traits, one for each kind of thing that is kept; a [`Store`] is all of them. [`MemoryStore`] forgets with
//! the process, [`SqliteStore`] keeps everything in one file. [`conformance`] is what any store must do.
//!
//! A store keeps documents as JSON values and does not read them; what a document means is decided elsewhere.
//! Stores read no clock: whoever writes says when.

pub mod conformance;
mod error;
mod ids;
mod memory;
mod records;
mod settings;
mod sqlite;

use std::sync::Arc;

pub use error::StoreError;
pub use ids::{IdField, check_id};
pub use memory::MemoryStore;
pub use records::{
    ArtifactHead, ArtifactRecord, DeploymentRecord, Driver, EventRecord, JournalRecord, Lease, Listed, NewRun,
    ResumeReadiness, RunChange, RunCommit, RunFilter, RunHead, RunRecord, RunStatus, RunningRun, Saved, SharedText,
    Snapshot, StoredEvent,
};
pub use settings::{SettingChange, SettingKind, SettingStore};
pub use sqlite::{Durability, SqliteOptions, SqliteStore};

/// Milliseconds since the epoch.
pub type Millis = u64;

/// Keeps artifacts; a version, once saved, never changes.
pub trait ArtifactStore: Send + Sync {
    /// Saves a version. Saving the same content again changes nothing.
    ///
    /// # Errors
    /// [`StoreError::ArtifactExists`] when the version is there with other content.
    fn save_artifact(&self, artifact: ArtifactRecord) -> Result<Saved, StoreError>;

    /// One version.
    ///
    /// # Errors
    /// [`StoreError::ArtifactUnknown`] when it is not there.
    fn artifact(&self, artifact_id: &str, version: u32) -> Result<ArtifactRecord, StoreError>;

    /// The hash of a version's content.
    ///
    /// # Errors
    /// [`StoreError::ArtifactUnknown`] when it is not there.
    fn artifact_hash(&self, artifact_id: &str, version: u32) -> Result<Arc<str>, StoreError>;

    /// The highest version of an artifact.
    ///
    /// # Errors
    /// [`StoreError::ArtifactUnknown`] when it has none.
    fn latest_artifact(&self, artifact_id: &str) -> Result<ArtifactRecord, StoreError>;

    /// What a listing shows of each version, by id and then by version.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn artifact_heads(&self) -> Result<Vec<ArtifactHead>, StoreError>;

    /// Deletes a version, unless deployments use it; their ids are answered, and then nothing was deleted.
    ///
    /// # Errors
    /// [`StoreError::ArtifactUnknown`] when it is not there.
    fn delete_artifact(&self, artifact_id: &str, version: u32) -> Result<Vec<Arc<str>>, StoreError>;
}

/// Keeps deployments, each under its id; saving replaces.
pub trait DeploymentStore: Send + Sync {
    /// Saves a deployment, in the place of one of the same id.
    ///
    /// # Errors
    /// When the store cannot be written.
    fn save_deployment(&self, deployment: DeploymentRecord) -> Result<(), StoreError>;

    /// One deployment.
    ///
    /// # Errors
    /// [`StoreError::DeploymentUnknown`] when it is not there.
    fn deployment(&self, deployment_id: &str) -> Result<DeploymentRecord, StoreError>;

    /// All deployments, by id.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn deployments(&self) -> Result<Vec<DeploymentRecord>, StoreError>;

    /// Deletes a deployment; its runs keep their own copy.
    ///
    /// # Errors
    /// [`StoreError::DeploymentUnknown`] when it is not there.
    fn delete_deployment(&self, deployment_id: &str) -> Result<(), StoreError>;
}

/// Keeps runs: their journal, the last snapshot, and what a listing shows.
///
/// The journal is the truth. A snapshot only saves replaying from the start, and a head only saves reading the
/// snapshot.
pub trait RunStore: Send + Sync {
    /// Starts a run with its first events.
    ///
    /// # Errors
    /// [`StoreError::RunExists`] when the id is taken, [`StoreError::KeyTaken`] when the idempotency key is.
    fn create_run(&self, run: NewRun) -> Result<(), StoreError>;

    /// Writes what happened to a run, all of it or nothing.
    ///
    /// # Errors
    /// [`StoreError::JournalConflict`] when the journal is not as long as the writer believes, and
    /// [`StoreError::LeaseLost`] when another process has taken the run over.
    fn commit_run(&self, commit: RunCommit) -> Result<(), StoreError>;

    /// What a listing shows of a run.
    ///
    /// # Errors
    /// [`StoreError::RunUnknown`] when it is not there.
    fn head(&self, run_id: &str) -> Result<RunHead, StoreError>;

    /// A run with the environment it was started in.
    ///
    /// # Errors
    /// [`StoreError::RunUnknown`] when it is not there.
    fn run(&self, run_id: &str) -> Result<RunRecord, StoreError>;

    /// The run that was started with an idempotency key.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn run_with_key(&self, key: &str) -> Result<Option<Arc<str>>, StoreError>;

    /// The latest runs first, `limit` of them from `offset` on, and how many there are.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn runs(&self, filter: &RunFilter, offset: u64, limit: u64) -> Result<Listed<RunHead>, StoreError>;

    /// At most `limit` records of a run's journal from `position` on; each is checked.
    ///
    /// # Errors
    /// [`StoreError::RunUnknown`], and [`StoreError::RecordDamaged`] for a record that is not what was written.
    fn journal(&self, run_id: &str, position: u64, limit: u64) -> Result<Vec<JournalRecord>, StoreError>;

    /// How many records a run's journal has.
    ///
    /// # Errors
    /// [`StoreError::RunUnknown`].
    fn journal_length(&self, run_id: &str) -> Result<u64, StoreError>;

    /// The last snapshot, if there is one.
    ///
    /// # Errors
    /// [`StoreError::RunUnknown`], and [`StoreError::RecordDamaged`] when it is not what was written.
    fn snapshot(&self, run_id: &str) -> Result<Option<Snapshot>, StoreError>;

    /// All runs whose status is running, with who drives each.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn running(&self) -> Result<Vec<RunningRun>, StoreError>;

    /// Takes the right to drive a run, unless another owner holds it. The token fences off earlier owners.
    ///
    /// # Errors
    /// [`StoreError::LeaseTaken`] while another owner's lease has not run out.
    fn take_lease(&self, run_id: &str, owner: &str, now: Millis, until: Millis) -> Result<Lease, StoreError>;

    /// Makes a lease last longer.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`] when the token is not the current one.
    fn renew_lease(&self, run_id: &str, token: u64, until: Millis) -> Result<(), StoreError>;

    /// Gives a lease back; one that is lost already is no error.
    ///
    /// # Errors
    /// When the store cannot be written.
    fn release_lease(&self, run_id: &str, token: u64) -> Result<(), StoreError>;

    /// Deletes a run with everything that belongs to it.
    ///
    /// # Errors
    /// [`StoreError::RunUnknown`] when it is not there.
    fn delete_run(&self, run_id: &str) -> Result<(), StoreError>;
}

/// Keeps what happened on the platform, in order.
pub trait EventStore: Send + Sync {
    /// Adds an event and answers its number.
    ///
    /// # Errors
    /// When the store cannot be written.
    fn record_event(&self, event: EventRecord) -> Result<u64, StoreError>;

    /// At most `limit` events behind the number `after`, oldest first, and how many there are in all.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn events(&self, after: u64, limit: u64) -> Result<Listed<StoredEvent>, StoreError>;
}

/// Everything a server keeps.
pub trait Store: ArtifactStore + DeploymentStore + RunStore + EventStore + SettingStore {}

impl<T: ArtifactStore + DeploymentStore + RunStore + EventStore + SettingStore> Store for T {}
