//! A run as JSON and back.
//!
//! A snapshot is complete: whoever has it and the plan can go on as if nothing had happened. What follows from other
//! parts is not in it (timers from delayed attempts, effects from what is in flight, keepers and names from the
//! ancestry), so that there is less that could contradict itself. It refers to steps by position; the digest of the
//! plan tells whether that is allowed.
//!
//! Snapshots come from outside. Reading one checks every number before it is used, and then that the records fit
//! together; whatever is wrong is an error with a place, and never a run that breaks later.

mod check;
mod journal;
mod node;
mod read;
mod read_live;
mod v1;
mod v1_foreach;
mod write;
mod write_live;

use std::sync::Arc;

use thiserror::Error;

use crate::plan::{Plan, PlanDigest};
use crate::value::{Object, Value};

use super::error::{RunError, codes};
use super::event::Event;
use super::{Machine, Run};

/// The version that is written. Version 1 is the predecessor's and is read too.
const VERSION: i64 = 2;

/// Why a snapshot, an event or a journal cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// It is not what it should be.
    #[error("snapshot is invalid at {}: {message}", place(.path))]
    Invalid {
        /// Where, as `run.frames[3].status`; empty for the whole.
        path: String,
        /// What was expected and what is there.
        message: String,
    },
    /// An event cannot be read.
    #[error("event is invalid at {}: {message}", place(.path))]
    InvalidEvent {
        /// Where in the event.
        path: String,
        /// What was expected and what is there.
        message: String,
    },
    /// The workflow has changed since the snapshot was taken.
    #[error("workflow has changed since the run was saved: {}", list(.changes))]
    PlanChanged {
        /// What has changed, as `nodes[say]`.
        changes: Vec<String>,
    },
    /// An event of a journal was refused.
    #[error("event {position} of the journal does not fit: {error}")]
    Refused {
        /// Its position, from 0.
        position: usize,
        /// Why.
        error: RunError,
    },
    /// A journal does not begin with the start of a run.
    #[error("journal does not begin with the start of a run")]
    NoStart,
}

impl SnapshotError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid { .. } => codes::SNAPSHOT_INVALID,
            Self::InvalidEvent { .. } => codes::EVENT_INVALID,
            Self::PlanChanged { .. } => codes::SNAPSHOT_PLAN_CHANGED,
            Self::Refused { .. } | Self::NoStart => codes::JOURNAL_REFUSED,
        }
    }

    /// Where the problem is; empty for the whole.
    pub fn path(&self) -> &str {
        match self {
            Self::Invalid { path, .. } | Self::InvalidEvent { path, .. } => path,
            _ => "",
        }
    }
}

fn place(path: &str) -> &str {
    if path.is_empty() { "its root" } else { path }
}

/// The first few changes; a document that was rewritten has too many to list.
fn list(changes: &[String]) -> String {
    const SHOWN: usize = 5;
    let text = changes.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    if changes.len() > SHOWN { format!("{text} and {} more", changes.len() - SHOWN) } else { text }
}

impl Run {
    /// The run as JSON.
    pub fn snapshot(&self) -> Value {
        let mut snapshot = Object::with_capacity(3);
        snapshot.insert("version", VERSION);
        snapshot.insert("plan", self.plan.digest().to_value());
        snapshot.insert("run", write::machine(&self.machine));
        Value::Object(snapshot)
    }

    /// A run from a snapshot. What was in flight is asked for again, under the same ids.
    ///
    /// # Errors
    ///
    /// The snapshot is damaged, of an unknown version, or of a run over another workflow.
    pub fn restore(plan: Arc<Plan>, snapshot: &Value) -> Result<Self, SnapshotError> {
        let root = node::Node::root(snapshot);
        // The predecessor's documents may leave their version out.
        let version = root.optional("version")?.map_or(Ok(1), |node| node.number::<i64>())?;
        let machine = match version {
            1 => v1::machine(&plan, root.field("state")?)?,
            VERSION => {
                check_plan(&plan, root.field("plan")?)?;
                read::machine(&plan, root.field("run")?)?
            }
            _ => return Err(root.field("version")?.invalid(format_args!("expected version 1 or 2, got {version}"))),
        };
        let mut run = Self { plan, machine };
        run.machine.ask_again_for_everything();
        Ok(run)
    }

    /// The run that a journal of events leads to; the first event is the start.
    ///
    /// # Errors
    ///
    /// The journal does not begin with a start, or holds an event that the run refuses.
    pub fn replay(plan: Arc<Plan>, events: impl IntoIterator<Item = Event>) -> Result<Self, SnapshotError> {
        let mut events = events.into_iter();
        let Some(Event::Start { input, options }) = events.next() else { return Err(SnapshotError::NoStart) };
        let mut run = Self::start(plan, input, options);
        for (position, event) in (1..).zip(events) {
            run.apply(event).map_err(|error| SnapshotError::Refused { position, error })?;
        }
        Ok(run)
    }
}

impl Machine {
    /// Queues the effects of everything in flight.
    fn ask_again_for_everything(&mut self) {
        self.effects.clear();
        for call in self.in_flight.recall() {
            self.ask_again(call);
        }
    }
}

/// Refuses a plan that differs in something the run depends on.
fn check_plan(plan: &Plan, node: node::Node<'_>) -> Result<(), SnapshotError> {
    let taken_of = PlanDigest::from_value(node.value())
        .ok_or_else(|| node.invalid(format_args!("expected an object with hash and parts")))?;
    if taken_of.hash() == plan.hash() {
        return Ok(());
    }
    Err(SnapshotError::PlanChanged { changes: plan.digest().changes(&taken_of) })
}
