//! What an application does: artifacts, deployments, runs, sources, capabilities.
//!
//! Every operation is a function over a [`Store`], the [`SourceRegistry`] and a [`Clock`], and answers the JSON that
//! every surface shows. Executing a run is not among them: an operation prepares a run and another one stores how it
//! stopped, and in between a driver drives it, wherever its handlers live.

mod artifacts;
mod capabilities;
mod deployments;
mod driving;
mod journal;
mod kept;
mod prepare;
mod restore;
mod run_json;
mod runs;
mod sources;

use std::sync::Arc;

use wf_core::value::{Object, Value};
use wf_platform::registry::SourceRegistry;

pub use capabilities::{CallEnd, CallTarget};
pub use driving::{Begun, Driven};
pub use journal::RunJournal;
pub use prepare::{Executable, Prepared};
pub use run_json::TraceRange;

use crate::admin::Control;
use crate::clock::{Clock, SystemClock};
use crate::error::ApiError;
use crate::process::Process;
use crate::store::{EventRecord, Store};
use journal::Drivers;
use kept::Kept;

/// The JSON that an operation answers.
pub type OperationResult = Result<Object, ApiError>;

/// An application: its store, its sources and its clock. `H` is what executes a capability.
pub struct Application<H> {
    store: Arc<dyn Store>,
    registry: Arc<SourceRegistry<H>>,
    clock: Arc<dyn Clock>,
    drivers: Arc<Drivers>,
    kept: Arc<Kept<H>>,
    pub(crate) control: Arc<Control<H>>,
}

impl<H> Clone for Application<H> {
    fn clone(&self) -> Self {
        Self {
            store: Arc::clone(&self.store),
            registry: Arc::clone(&self.registry),
            clock: Arc::clone(&self.clock),
            drivers: Arc::clone(&self.drivers),
            kept: Arc::clone(&self.kept),
            control: Arc::clone(&self.control),
        }
    }
}

impl<H> std::fmt::Debug for Application<H> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Application").finish_non_exhaustive()
    }
}

impl<H> Application<H> {
    /// An application of a process, which goes by the clock of the system.
    pub fn new(store: Arc<dyn Store>, registry: Arc<SourceRegistry<H>>, process: Process) -> Self {
        Self::with_clock(store, registry, process, Arc::new(SystemClock))
    }

    /// An application that goes by another clock.
    pub fn with_clock(
        store: Arc<dyn Store>,
        registry: Arc<SourceRegistry<H>>,
        process: Process,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let drivers = Arc::new(Drivers::new(process, Arc::clone(&store), Arc::clone(&clock)));
        Self { store, registry, clock, drivers, kept: Arc::new(Kept::new()), control: Arc::default() }
    }

    /// The store.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// The sources.
    pub fn registry(&self) -> &Arc<SourceRegistry<H>> {
        &self.registry
    }

    /// What the clock says.
    pub(crate) fn now(&self) -> u64 {
        self.clock.now()
    }

    /// Notes that something happened.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn record_event(&self, kind: &str, capability_id: Option<&str>, payload: Object) -> Result<(), ApiError> {
        self.store.record_event(EventRecord {
            kind: kind.into(),
            timestamp_epoch_ms: self.clock.now(),
            capability_id: capability_id.map(Arc::from),
            payload: payload.into(),
        })?;
        Ok(())
    }

    /// What happened, oldest first: at most `limit` events behind the number `after`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn list_events(&self, after: u64, limit: u64) -> OperationResult {
        let listed = self.store.events(after, limit)?;
        let events: Vec<Value> = listed
            .items
            .into_iter()
            .map(|stored| {
                let mut event = Object::with_capacity(5);
                event.insert("number", count(stored.number));
                event.insert("kind", stored.event.kind);
                event.insert("timestamp_epoch_ms", count(stored.event.timestamp_epoch_ms));
                event.insert("capability_id", stored.event.capability_id);
                event.insert("payload", stored.event.payload);
                event.into()
            })
            .collect();
        Ok([("events", Value::from(events)), ("total", Value::Int(count(listed.total)))].into_iter().collect())
    }
}

/// A count as JSON; none comes near 2^63.
fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
