//! Events: everything that can happen to a run from outside.
//!
//! A run is a function of its plan and its events. Time is part of them: each carries `now`, in milliseconds since
//! the epoch, and nothing else tells the machine the time.

use std::sync::Arc;

use crate::document::NodeResult;
use crate::value::{Object, Value};

use super::error::CallError;

/// A call, or a merge, that the machine has asked for; numbered from 1 within a run.
///
/// Every attempt has a number of its own, so a late answer of an earlier attempt cannot be taken for the answer of
/// a later one. The number survives snapshots, replays and retries of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(pub(crate) u64);

/// The id of a merge; drawn from the same numbers as those of calls.
pub type ReduceId = CallId;

impl CallId {
    /// A call by its number.
    pub fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    pub fn get(self) -> u64 {
        self.0
    }
}

/// Milliseconds since the epoch.
pub type Millis = u64;

/// What a run is started with besides its input.
#[derive(Clone, Debug, PartialEq)]
pub struct StartOptions {
    /// The run's id; part of every public call id.
    pub run_id: Arc<str>,
    /// The time of the start.
    pub now: Millis,
    /// Where jitter comes from.
    pub seed: u64,
    /// How many steps the run may complete; `None` means any number.
    pub max_steps: Option<u64>,
    /// When the run must have finished.
    pub deadline: Option<Millis>,
}

impl StartOptions {
    /// The usual options of a run: its seed follows from its id, so that a run can be repeated by its id.
    pub fn new(run_id: impl Into<Arc<str>>, now: Millis) -> Self {
        let run_id = run_id.into();
        let seed = seed_of(&run_id);
        Self { run_id, now, seed, ..Self::default() }
    }
}

/// FNV-1a: stable for ever, unlike the standard hasher.
fn seed_of(run_id: &str) -> u64 {
    run_id.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl Default for StartOptions {
    fn default() -> Self {
        Self { run_id: "run".into(), now: 0, seed: 0, max_steps: Some(1_000_000), deadline: None }
    }
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq)]
pub enum CallResult {
    /// The handler returned.
    Returned(NodeResult),
    /// The handler raised, or could not be found or called.
    Failed(CallError),
    /// The handler took longer than the call's time limit.
    TimedOut,
    /// The call was cancelled from outside; this cancels the run.
    Cancelled,
}

/// One thing that happens to a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The run begins; always the first event, and never a later one.
    Start {
        /// The workflow's input.
        input: Object,
        /// The rest.
        options: StartOptions,
    },
    /// A call ended.
    Resolve {
        /// Which.
        call: CallId,
        /// How.
        result: CallResult,
        /// When.
        now: Millis,
    },
    /// A merge by custom reducers ended.
    ResolveReduce {
        /// Which.
        reduce: ReduceId,
        /// The merged value of each fold, in the order of the folds.
        merged: Vec<Result<Value, CallError>>,
        /// When.
        now: Millis,
    },
    /// Somebody answered the interrupt.
    Resume {
        /// Which interrupt; `None` means the one that waits.
        interrupt: Option<Arc<str>>,
        /// The outcome of the interrupt step.
        outcome: Arc<str>,
        /// The answer.
        payload: Object,
        /// When.
        now: Millis,
    },
    /// Somebody stops the run.
    Cancel {
        /// Why.
        reason: Arc<str>,
        /// When.
        now: Millis,
    },
    /// Somebody wants another try from the failed frame.
    Retry {
        /// When.
        now: Millis,
    },
    /// Time has passed; due retries start, and a missed deadline shows.
    Tick {
        /// What time it is.
        now: Millis,
    },
}

impl Event {
    /// When it happened.
    pub fn now(&self) -> Millis {
        match self {
            Self::Start { options, .. } => options.now,
            Self::Resolve { now, .. }
            | Self::ResolveReduce { now, .. }
            | Self::Resume { now, .. }
            | Self::Cancel { now, .. }
            | Self::Retry { now }
            | Self::Tick { now } => *now,
        }
    }
}
