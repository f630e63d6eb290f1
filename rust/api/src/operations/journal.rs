//! The journal of a run while it is driven, and the right to drive it.
//!
//! A driver notes each event that the run took, commits, and only then does what follows from it. Whatever was noted
//! while a commit was under way shares the next one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use wf_core::run::Event;

use crate::clock::Clock;
use crate::error::ApiError;
use crate::process::Process;
use crate::store::{Driver, JournalRecord, Millis, RunChange, RunCommit, RunningRun, Store, StoreError};

/// How long a lease lasts without being renewed, in milliseconds.
const LEASE: Millis = 30_000;

/// How long a commit may take for its driver to wait for it without handing over to a thread, which takes two wake-ups.
const QUICK: Duration = Duration::from_millis(2);

/// After how many records a run that stops, and may go on, keeps a snapshot; to replay fewer costs less than to keep one.
const RECORDS_FOR_A_SNAPSHOT: u64 = 1_000;

/// How often leases are renewed.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// The runs that this process drives.
pub(super) struct Drivers {
    process: Process,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    /// The token of each run's lease.
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    tokens: BTreeMap<Arc<str>, u64>,
    /// Whether a thread renews them.
    beating: bool,
}

impl Drivers {
    pub(super) fn new(process: Process, store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
        Self { process, store, clock, held: Mutex::default() }
    }

    /// This process as the driver of a run, from now on.
    pub(super) fn driver(&self) -> Driver {
        Driver { owner: Arc::clone(self.process.name()), until: self.clock.now().saturating_add(LEASE) }
    }

    /// Takes the right to drive a run that stands still.
    pub(super) fn take(self: &Arc<Self>, run_id: &str) -> Result<RunJournal, StoreError> {
        let Driver { owner, until } = self.driver();
        if self.lock().tokens.contains_key(run_id) {
            return Err(StoreError::LeaseTaken { run_id: run_id.into(), owner, until });
        }
        let lease = self.store.take_lease(run_id, &owner, self.clock.now(), until)?;
        match self.store.journal_length(run_id) {
            Ok(written) => Ok(self.journal(run_id.into(), lease.token, written)),
            Err(error) => {
                self.store.release_lease(run_id, lease.token)?;
                Err(error)
            }
        }
    }

    /// Takes a run over whose driver is dead or gone; nothing when it is not.
    pub(super) fn take_over(self: &Arc<Self>, run: &RunningRun) -> Result<Option<RunJournal>, StoreError> {
        if !self.is_abandoned(run) {
            return Ok(None);
        }
        if run.driver.as_ref().is_some_and(|driver| driver.owner != *self.process.name()) {
            self.store.release_lease(&run.run_id, run.token)?;
        }
        match self.take(&run.run_id) {
            Ok(journal) => Ok(Some(journal)),
            // Somebody else was faster.
            Err(StoreError::LeaseTaken { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether nobody drives a run that is to be driven.
    pub(super) fn is_abandoned(&self, run: &RunningRun) -> bool {
        let ours = self.lock().tokens.contains_key(&run.run_id);
        !ours
            && run.driver.as_ref().is_none_or(|driver| {
                driver.until <= self.clock.now()
                    || *driver.owner == **self.process.name()
                    || self.process.is_dead(&driver.owner)
            })
    }

    /// The journal of a run that this process drives.
    pub(super) fn journal(self: &Arc<Self>, run_id: Arc<str>, token: u64, written: u64) -> RunJournal {
        let mut held = self.lock();
        held.tokens.insert(Arc::clone(&run_id), token);
        if !held.beating {
            held.beating = true;
            let drivers = Arc::downgrade(self);
            thread::spawn(move || renew_for_ever(&drivers));
        }
        drop(held);
        RunJournal {
            drivers: Arc::clone(self),
            run_id,
            token,
            found: written,
            written: Mutex::new(Written { records: written, took: Duration::ZERO, broken: None }),
            waiting: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Renews the leases of an application for as long as there is one.
fn renew_for_ever(drivers: &Weak<Drivers>) {
    loop {
        thread::sleep(HEARTBEAT);
        let Some(drivers) = drivers.upgrade() else { return };
        let held = drivers.lock().tokens.clone();
        let until = drivers.clock.now().saturating_add(LEASE);
        for (run_id, token) in held {
            // A lease that is lost shows at the next commit; a store that does not answer may do so the next time.
            let _ = drivers.store.renew_lease(&run_id, token, until);
        }
    }
}

/// What happens to one run, written down before anything follows from it.
pub struct RunJournal {
    drivers: Arc<Drivers>,
    run_id: Arc<str>,
    token: u64,
    /// How many records there were when the run was taken.
    found: u64,
    /// Locked during a commit.
    written: Mutex<Written>,
    waiting: Mutex<Vec<JournalRecord>>,
}

struct Written {
    /// How many records are committed.
    records: u64,
    /// How long the last commit took.
    took: Duration,
    /// Why a commit failed: from then on the journal lacks events that the run has taken, so nothing may follow.
    broken: Option<StoreError>,
}

impl std::fmt::Debug for RunJournal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("RunJournal").field("run_id", &self.run_id).finish_non_exhaustive()
    }
}

/// What is written beside the records of a commit.
#[derive(Debug, Default)]
pub(super) struct Beside {
    pub(super) snapshot: Option<Arc<str>>,
    pub(super) change: Option<RunChange>,
    pub(super) release: bool,
}

impl RunJournal {
    /// The run.
    pub fn run_id(&self) -> &Arc<str> {
        &self.run_id
    }

    /// Notes an event that the run took.
    pub fn note(&self, event: &Event) {
        let record = record(event);
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push(record);
    }

    /// Whether everything that was noted is committed.
    pub fn is_committed(&self) -> bool {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Whether the driver may as well wait for the next commit where it is: the disk is quick, and no other run of this
    /// process could share the commit.
    pub fn commits_quickly(&self) -> bool {
        self.drivers.lock().tokens.len() <= 1
            && self.written.lock().unwrap_or_else(PoisonError::into_inner).took <= QUICK
    }

    /// Whether the journal has passed another of the marks at which a snapshot is kept, so that there is never more
    /// than one stretch between two marks to replay, however often the run stops.
    pub(super) fn is_due_for_snapshot(&self) -> bool {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).len() as u64;
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner).records;
        (written + waiting) / RECORDS_FOR_A_SNAPSHOT > self.found / RECORDS_FOR_A_SNAPSHOT
    }

    /// Commits what was noted, and waits until it is.
    ///
    /// # Errors
    /// The store cannot be written, or another process has taken the run over. What was noted is lost, and the run
    /// must not be driven any further.
    pub fn commit(&self) -> Result<(), ApiError> {
        self.write(Beside::default())
    }

    /// Gives the run back without an end; whoever recovers runs may go on with it.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn give_back(&self) -> Result<(), ApiError> {
        self.forget();
        Ok(self.drivers.store.release_lease(&self.run_id, self.token)?)
    }

    pub(super) fn write(&self, beside: Beside) -> Result<(), ApiError> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = &written.broken {
            return Err(error.clone().into());
        }
        let records = std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        let Beside { snapshot, change, release } = beside;
        if records.is_empty() && snapshot.is_none() && change.is_none() && !release {
            return Ok(());
        }
        let added = records.len() as u64;
        let began = Instant::now();
        let committed = self.drivers.store.commit_run(RunCommit {
            run_id: Arc::clone(&self.run_id),
            after: written.records,
            lease: Some(self.token),
            records,
            snapshot,
            change,
            release,
            at: self.drivers.clock.now(),
        });
        if let Err(error) = committed {
            written.broken = Some(error.clone());
            return Err(error.into());
        }
        written.records += added;
        written.took = began.elapsed();
        if release {
            self.forget();
        }
        Ok(())
    }

    fn forget(&self) {
        let mut held = self.drivers.lock();
        if held.tokens.get(&self.run_id) == Some(&self.token) {
            held.tokens.remove(&self.run_id);
        }
    }
}

impl Drop for RunJournal {
    fn drop(&mut self) {
        // Nobody drives the run any more: its lease is not renewed and runs out by itself.
        self.forget();
    }
}

/// An event as a record.
pub(super) fn record(event: &Event) -> JournalRecord {
    let value = event.to_value();
    let kind = value.as_object().and_then(|event| event.get("event")).and_then(|kind| kind.as_str());
    JournalRecord { kind: kind.unwrap_or("event").into(), body: value.to_json().into() }
}
