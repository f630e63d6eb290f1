//! What stores take and give.

use std::sync::Arc;

use wf_core::value::Value;

use super::{Millis, StoreError};

/// Whether saving changed anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved {
    /// It is new.
    New,
    /// The very same was there already.
    Unchanged,
}

/// One version of an artifact.
#[derive(Clone, Debug, PartialEq)]
pub struct ArtifactRecord {
    /// What a listing shows.
    pub head: ArtifactHead,
    /// Tells whether two contents are the same.
    pub content_hash: Arc<str>,
    /// The document.
    pub document: Value,
    /// When it was saved.
    pub created_at: Millis,
}

/// What a listing shows of an artifact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArtifactHead {
    /// Its id.
    pub artifact_id: Arc<str>,
    /// Its version, from 1 on.
    pub version: u32,
    /// `workflow` or `wrapper`.
    pub kind: Arc<str>,
    /// Its title.
    pub title: Arc<str>,
    /// What it does.
    pub description: Option<Arc<str>>,
}

/// A deployment.
#[derive(Clone, Debug, PartialEq)]
pub struct DeploymentRecord {
    /// Its id.
    pub deployment_id: Arc<str>,
    /// The artifact that it deploys.
    pub artifact_id: Arc<str>,
    /// The version of it.
    pub artifact_version: u32,
    /// The document.
    pub document: Value,
    /// When it was saved last.
    pub updated_at: Millis,
}

/// Where a stored run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunStatus {
    /// It is driven, or waits to be driven again.
    Running,
    /// It waits for a person.
    Interrupted,
    /// It has finished.
    Completed,
    /// A step failed and the run stands there.
    Failed,
    /// Somebody stopped it.
    Cancelled,
}

impl RunStatus {
    /// Every status.
    pub const ALL: [Self; 5] = [Self::Running, Self::Interrupted, Self::Completed, Self::Failed, Self::Cancelled];

    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Interrupted => "interrupted",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// The status with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }

    pub(super) fn names() -> String {
        Self::ALL.map(Self::as_str).join(", ")
    }
}

/// Whether a run can be resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResumeReadiness {
    /// It can.
    Ready,
    /// Its environment does not allow it now.
    Blocked,
    /// It does not wait for anybody.
    NotApplicable,
}

impl ResumeReadiness {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Blocked => "blocked",
            Self::NotApplicable => "not_applicable",
        }
    }

    pub(super) fn from_name(name: &str) -> Result<Self, StoreError> {
        [Self::Ready, Self::Blocked, Self::NotApplicable].into_iter().find(|known| known.as_str() == name).ok_or_else(
            || StoreError::DocumentDamaged {
                what: "run".to_owned(),
                problem: format!("`{name}` is no resume readiness"),
            },
        )
    }
}

/// A run that is about to start.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRun {
    /// Its id.
    pub run_id: Arc<str>,
    /// The deployment.
    pub deployment_id: Arc<str>,
    /// The artifact.
    pub artifact_id: Arc<str>,
    /// The version of it.
    pub artifact_version: u32,
    /// Deployment and artifacts as they are now; the run keeps this copy.
    pub environment: SharedText,
    /// The hash of the compiled plan.
    pub plan_hash: Arc<str>,
    /// A second start with the same key is refused.
    pub idempotency_key: Option<Arc<str>>,
    /// Its first events.
    pub records: Vec<JournalRecord>,
    /// Who drives it from its start on; the lease has the token 1.
    pub driver: Option<Driver>,
    /// When.
    pub at: Millis,
}

/// A document that many runs share: its text, and a hash that tells whether two are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedText {
    /// The hash.
    pub hash: Arc<str>,
    /// The document as JSON.
    pub body: Arc<str>,
}

impl SharedText {
    /// The text of a value.
    pub fn of(value: &Value) -> Self {
        Self { hash: value.sha256().into(), body: value.to_json().into() }
    }
}

/// Somebody who drives a run, and until when he says so without renewing it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Driver {
    /// Who.
    pub owner: Arc<str>,
    /// Until when.
    pub until: Millis,
}

/// A run that is driven, or ought to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningRun {
    /// The run.
    pub run_id: Arc<str>,
    /// Who drives it, if anybody has said so.
    pub driver: Option<Driver>,
    /// The token of that lease, or of the last one.
    pub token: u64,
}

/// One record of a journal: an event of the run, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalRecord {
    /// The event's kind.
    pub kind: Arc<str>,
    /// The event.
    pub body: Arc<str>,
}

/// A run as it was behind a number of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The records that it holds.
    pub position: u64,
    /// The run.
    pub body: Arc<str>,
}

/// What happened to a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunCommit {
    /// The run.
    pub run_id: Arc<str>,
    /// How many records the journal has before.
    pub after: u64,
    /// The token of the writer's lease, if runs are leased.
    pub lease: Option<u64>,
    /// What is added to the journal.
    pub records: Vec<JournalRecord>,
    /// The run behind the last of the records; replaces the snapshot before.
    pub snapshot: Option<Arc<str>>,
    /// What a listing shows from now on.
    pub change: Option<RunChange>,
    /// Whether the writer's lease is given back with this.
    pub release: bool,
    /// When.
    pub at: Millis,
}

/// What a listing shows of a run, as far as it changes.
#[derive(Clone, Debug, PartialEq)]
pub struct RunChange {
    /// Where it stands.
    pub status: RunStatus,
    /// Whether it can be resumed.
    pub resume_readiness: ResumeReadiness,
    /// What is wrong with its environment.
    pub diagnostics: Value,
    /// Outcome, output, error and interrupt, as a result shows them.
    pub result: Value,
    /// How many steps its trace has.
    pub trace_count: u64,
}

/// What a listing shows of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunHead {
    /// Its id.
    pub run_id: Arc<str>,
    /// The deployment.
    pub deployment_id: Arc<str>,
    /// The artifact.
    pub artifact_id: Arc<str>,
    /// The version of it.
    pub artifact_version: u32,
    /// The hash of the compiled plan.
    pub plan_hash: Arc<str>,
    /// The part that changes.
    pub state: RunChange,
    /// When it was started.
    pub created_at: Millis,
    /// When the part that changes did so last.
    pub updated_at: Millis,
}

/// A run with its environment.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRecord {
    /// What a listing shows.
    pub head: RunHead,
    /// Deployment and artifacts as they were at the start.
    pub environment: Value,
}

/// Which runs a listing shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunFilter {
    /// Only runs that stand there.
    pub status: Option<RunStatus>,
    /// Only runs of this deployment.
    pub deployment_id: Option<Arc<str>>,
}

/// A part of a list, and how long the whole is.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed<T> {
    /// The part.
    pub items: Vec<T>,
    /// The length of the whole.
    pub total: u64,
}

/// The right to drive a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Rises with every owner, so that an earlier one is told from the current one.
    pub token: u64,
    /// When it runs out.
    pub until: Millis,
}

/// Something that happened on the platform.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRecord {
    /// What happened.
    pub kind: Arc<str>,
    /// When.
    pub timestamp_epoch_ms: Millis,
    /// The capability it is about.
    pub capability_id: Option<Arc<str>>,
    /// Facts about it.
    pub payload: Value,
}

/// An event with its number.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredEvent {
    /// Its number, from 1 on.
    pub number: u64,
    /// The event.
    pub event: EventRecord,
}
