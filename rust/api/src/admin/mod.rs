//! The control plane over a store: what operators decide is kept, and holds after a restart.
//!
//! [`operations`] is the one table: name, arguments, result, permission and handler. Every surface reads it.
//! A change is written to the store together with its event first, and then to the registry; a change that another
//! process made meanwhile is read before every operation.

mod connections;
mod documents;
mod events;
mod policy;
mod refresh;
mod system;
mod table;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use wf_core::value::{Object, Value};

pub use documents::{
    AddConnection, ConfigReloaded, ConfigView, Connection, ConnectionChanged, ConnectionName, ConnectionPage,
    ConnectionStatus, Event, EventPage, ListConnections, ListEvents, SourceRefreshed, UpdateConnection,
};
pub use refresh::{ProviderFailure, SourceProvider};
pub use system::add_system_sources;
pub use table::{AdminCall, AdminHandler, AdminRow, operations};

use crate::error::ApiError;
use crate::operations::Application;
use crate::store::{EventRecord, SettingChange, SettingKind};

/// What the control plane of a process keeps in memory.
pub(crate) struct Control<H> {
    /// Held from the write to the store until the registry follows, so that the two never part.
    changing: Mutex<()>,
    /// The connections whose sources stand in the registry because they are configured.
    connected: Mutex<BTreeMap<Arc<str>, Connection>>,
    providers: RwLock<BTreeMap<Arc<str>, Arc<dyn SourceProvider<H>>>>,
}

impl<H> Default for Control<H> {
    fn default() -> Self {
        Self { changing: Mutex::default(), connected: Mutex::default(), providers: RwLock::default() }
    }
}

impl<H> Control<H> {
    fn changing(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<H> Application<H> {
    /// Executes an operation of the control plane on behalf of `actor`.
    ///
    /// # Errors
    /// An unknown operation, bad arguments, what the rules refuse, or a store that fails.
    pub fn run_admin(&self, name: &str, arguments: &Value, actor: &str) -> Result<Value, ApiError> {
        let rows = operations::<H>();
        let row = rows.iter().find(|row| row.operation.name == name).ok_or_else(|| {
            let known: Vec<&str> = rows.iter().map(|row| row.operation.name).collect();
            ApiError::AdminOperation { name: name.into(), known: known.join(", ") }
        })?;
        self.apply_settings()?;
        (row.handler)(self, &AdminCall { name: row.operation.name, arguments, actor })
    }

    /// Makes the stored policies and connections hold in this process.
    ///
    /// # Errors
    /// A store that cannot be read, or a stored document that is damaged.
    pub fn apply_settings(&self) -> Result<(), ApiError> {
        let _changing = self.control.changing();
        self.apply_policies()?;
        self.apply_connections()
    }

    /// Writes the setting that `decide` makes of the current one, with its event; another process that was faster
    /// makes it decide again. `None` leaves everything as it is.
    fn change_setting(
        &self,
        kind: SettingKind,
        id: &Arc<str>,
        mut decide: impl FnMut(Option<&Value>) -> Result<Option<Decided>, ApiError>,
    ) -> Result<bool, ApiError> {
        loop {
            let before = self.store().setting(kind, id)?;
            let Some(Decided { after, event, payload }) = decide(before.as_ref())? else { return Ok(false) };
            let at = self.now();
            let event = EventRecord {
                kind: event.into(),
                timestamp_epoch_ms: at,
                capability_id: None,
                payload: payload.into(),
            };
            if self.store().change_setting(SettingChange { kind, id: Arc::clone(id), before, after, at, event })? {
                return Ok(true);
            }
        }
    }
}

/// The setting that is to stand, and the event that tells of it.
struct Decided {
    after: Option<Value>,
    event: &'static str,
    payload: Object,
}

/// What the event of a change says.
fn change_payload(key: &str, id: &Arc<str>, actor: &str, before: Value, after: Value) -> Object {
    Object::from_iter([
        (key, Value::String(Arc::clone(id))),
        ("actor", Value::from(actor)),
        ("before", before),
        ("after", after),
    ])
}
