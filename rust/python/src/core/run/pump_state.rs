//! What a pump remembers between two turns.

use std::collections::VecDeque;
use std::time::Instant;

use pyo3::prelude::*;
use wf_core::run::{CallId, Event, Millis, Run};

use super::item::Pending;
use super::record::RunRecord;

/// Something the run is told, and what a handler raised to bring it about.
pub(super) type Told = (Event, Option<(CallId, PyErr)>);

/// Where the commit of the journal stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Commit {
    /// None is needed.
    None,
    /// Whoever asks for an item next has to see to it.
    Wanted,
    /// Somebody sees to it.
    UnderWay,
}

/// What changes while a run is pumped.
pub(super) struct State {
    /// Gone once the pump has finished.
    pub(super) run: Option<Run>,
    /// In place of a run: the record of one that could not even be started.
    pub(super) never_ran: Option<Box<RunRecord>>,
    pub(super) pending: VecDeque<Pending>,
    /// The run stands still until somebody resumes it: finished, failed, interrupted or cancelled.
    pub(super) stopped: bool,
    /// The one step of a single pump was taken.
    pub(super) stepped: bool,
    /// When the run wants to be told the time.
    pub(super) alarm: Option<Millis>,
    /// The alarm that the crew has been told.
    pub(super) told: Option<Millis>,
    pub(super) turn_began: Instant,
    /// A turn was over before everything was done.
    pub(super) paused: bool,
    /// What the handler raised whose failure made the run fail.
    pub(super) exception: Option<PyErr>,
    /// The tasks that await items (a Python object of the asyncio driver).
    pub(super) crew: Option<Py<PyAny>>,
    pub(super) commit: Commit,
    /// What the run is told while the journal is committed; it shares the next commit.
    pub(super) held: Vec<Told>,
}

impl State {
    pub(super) fn new() -> Self {
        Self {
            run: None,
            never_ran: None,
            pending: VecDeque::new(),
            stopped: false,
            stepped: false,
            alarm: None,
            told: None,
            turn_began: Instant::now(),
            paused: false,
            exception: None,
            crew: None,
            commit: Commit::None,
            held: Vec::new(),
        }
    }
}

/// What has become of a run.
pub(super) struct Finished {
    /// The run, or the record of one that could not be started.
    pub(super) run: Result<Run, Box<RunRecord>>,
    /// What a handler raised that made it fail, or why it could not be started.
    pub(super) exception: Option<PyErr>,
}
