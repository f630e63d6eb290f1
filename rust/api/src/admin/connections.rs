//! Configured connections: stored, and listed as sources even before anything was read from them.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use wf_core::document::Document as _;
use wf_core::value::{Object, Value};
use wf_platform::page::page_items;
use wf_platform::source::{CapabilitySource, SourceHealth, SourceKind, SourcePermissions, SourceVisibility};
use wf_platform::{PlatformError, SourceId};

use super::{
    AddConnection, AdminCall, ConfigReloaded, ConfigView, Connection, ConnectionChanged, ConnectionName,
    ConnectionPage, ConnectionStatus, Decided, ListConnections, UpdateConnection, change_payload,
};
use crate::error::ApiError;
use crate::operations::Application;
use crate::store::{SettingKind, StoreError};

/// The fields of a connection's metadata whose values may be secrets.
const SECRETS: [&str; 3] = ["env", "headers", "auth"];

impl<H> Application<H> {
    pub(super) fn list_connections(&self, asked: &ListConnections) -> Result<ConnectionPage, ApiError> {
        let stored = self.connections()?;
        let page = page_items(&stored, asked.cursor.as_deref(), asked.limit.into())?;
        let snapshot = self.registry().snapshot();
        let connections = page.items.iter().map(|connection| {
            let state = snapshot.get(&connection.id).map(|entry| entry.state(self.now()).as_str());
            ConnectionStatus { connection: shown(connection), state: state.unwrap_or("never_connected").into() }
        });
        Ok(ConnectionPage {
            connections: connections.collect(),
            next_cursor: page.next_cursor,
            total: page.total as u64,
        })
    }

    pub(super) fn add_connection(
        &self,
        added: AddConnection,
        call: &AdminCall<'_>,
    ) -> Result<ConnectionChanged, ApiError> {
        let AddConnection { connection_id: id, server, account, metadata, enabled } = added;
        let source_id = SourceId::parse(&id)?;
        if source_id.is_reserved() {
            return Err(PlatformError::ReservedSourceId { id }.into());
        }
        if !id.contains('.') {
            return Err(ApiError::ConnectionId { id });
        }
        let connection = Connection { id: Arc::clone(&id), server, account, enabled, metadata };
        let changing = self.control.changing();
        self.registry().snapshot().check_new(&source_id)?;
        self.change_connection(&id, call, "connection_added", |before| match before {
            Some(_) => Err(ApiError::ConnectionExists { id: Arc::clone(&id) }),
            None => Ok(Some(connection.clone())),
        })?;
        self.apply_connections()?;
        drop(changing);
        Ok(changed("add_connection", id))
    }

    pub(super) fn update_connection(
        &self,
        update: &UpdateConnection,
        call: &AdminCall<'_>,
    ) -> Result<ConnectionChanged, ApiError> {
        let id = Arc::clone(&update.connection_id);
        let changing = self.control.changing();
        self.change_connection(&id, call, "connection_updated", |before| {
            let mut connection = before.ok_or_else(|| ApiError::ConnectionUnknown { id: Arc::clone(&id) })?;
            let UpdateConnection { server, account, metadata, enabled, .. } = update.clone();
            connection.server = server.unwrap_or(connection.server);
            connection.account = account.unwrap_or(connection.account);
            connection.metadata = metadata.unwrap_or(connection.metadata);
            connection.enabled = enabled.unwrap_or(connection.enabled);
            Ok(Some(connection))
        })?;
        self.apply_connections()?;
        drop(changing);
        Ok(changed("update_connection", id))
    }

    pub(super) fn remove_connection(
        &self,
        removed: &ConnectionName,
        call: &AdminCall<'_>,
    ) -> Result<ConnectionChanged, ApiError> {
        let id = Arc::clone(&removed.connection_id);
        let changing = self.control.changing();
        self.change_connection(&id, call, "connection_removed", |before| match before {
            Some(_) => Ok(None),
            None => Err(ApiError::ConnectionUnknown { id: Arc::clone(&id) }),
        })?;
        self.apply_connections()?;
        drop(changing);
        Ok(changed("remove_connection", id))
    }

    pub(super) fn config(&self) -> Result<ConfigView, ApiError> {
        let connections = self.connections()?;
        Ok(ConfigView { connections: connections.iter().map(shown).collect(), policies: self.policies()? })
    }

    pub(super) fn reload(&self) -> Result<ConfigReloaded, ApiError> {
        self.apply_settings()?;
        let connections = self.connections()?;
        Ok(ConfigReloaded {
            ok: true,
            connection_count: connections.len() as u64,
            enabled_connection_count: connections.iter().filter(|connection| connection.enabled).count() as u64,
            policy_count: self.policies()?.len() as u64,
        })
    }

    fn change_connection(
        &self,
        id: &Arc<str>,
        call: &AdminCall<'_>,
        event: &'static str,
        decide: impl Fn(Option<Connection>) -> Result<Option<Connection>, ApiError>,
    ) -> Result<(), ApiError> {
        self.change_setting(SettingKind::Connection, id, |stored| {
            let before = stored.map(|document| stored_connection(id, document)).transpose()?;
            let after = decide(before.clone())?;
            if before == after {
                return Ok(None);
            }
            let told = |connection: &Option<Connection>| {
                connection.as_ref().map_or(Value::Null, |connection| shown(connection).dump())
            };
            let payload = change_payload("connection_id", id, call.actor, told(&before), told(&after));
            Ok(Some(Decided { after: after.map(|connection| connection.dump()), event, payload }))
        })?;
        Ok(())
    }

    fn connections(&self) -> Result<Vec<Connection>, ApiError> {
        let stored = self.store().settings(SettingKind::Connection)?;
        stored.iter().map(|(id, document)| stored_connection(id, document)).collect()
    }

    /// Makes the registry follow the stored connections. A source of the same id that the process brings itself is
    /// what the connection gave, and stays.
    pub(super) fn apply_connections(&self) -> Result<(), ApiError> {
        let stored: BTreeMap<Arc<str>, Connection> =
            self.connections()?.into_iter().map(|connection| (Arc::clone(&connection.id), connection)).collect();
        let mut connected = self.control.connected.lock().unwrap_or_else(PoisonError::into_inner);
        let gone: Vec<Arc<str>> = connected.keys().filter(|id| !stored.contains_key(*id)).map(Arc::clone).collect();
        for id in gone {
            self.registry().remove(&id)?;
            connected.remove(&id);
        }
        for (id, connection) in stored {
            match connected.get(&id) {
                Some(known) if *known == connection => continue,
                Some(_) => self.registry().replace(source_of(&connection)?)?,
                None if self.registry().snapshot().get(&id).is_some() => continue,
                None => {
                    self.registry().add(source_of(&connection)?)?;
                    self.registry().set_health(&id, SourceHealth::NeverConnected)?;
                }
            }
            connected.insert(id, connection);
        }
        Ok(())
    }
}

fn changed(action: &str, connection_id: Arc<str>) -> ConnectionChanged {
    ConnectionChanged { action: action.into(), connection_id, ok: true, requires_reload: false }
}

fn source_of<H>(connection: &Connection) -> Result<CapabilitySource<H>, PlatformError> {
    let source = CapabilitySource::new(SourceId::parse(&connection.id)?, SourceKind::Connection)
        .with_visibility(SourceVisibility::EVERYWHERE)
        .with_permissions(SourcePermissions { calls_upstream: true, ..SourcePermissions::default() })
        .with_description(format!(
            "The connection to `{}` as `{}`; it was never reached, so nothing is known of what it offers.",
            connection.server, connection.account
        ));
    Ok(if connection.enabled { source } else { source.disabled() })
}

/// A connection as it may be shown: of a secret its name only.
fn shown(connection: &Connection) -> Connection {
    let metadata = connection.metadata.iter().map(|(key, value)| {
        let value = if SECRETS.contains(&&**key) { masked(value) } else { value.clone() };
        (Arc::clone(key), value)
    });
    Connection { metadata: metadata.collect::<Object>(), ..connection.clone() }
}

fn masked(value: &Value) -> Value {
    match value.as_object() {
        Some(fields) => Value::Object(fields.iter().map(|(key, _)| (Arc::clone(key), Value::from("***"))).collect()),
        None => Value::from("***"),
    }
}

fn stored_connection(id: &str, document: &Value) -> Result<Connection, ApiError> {
    let connection = Connection::parse(document).map_err(|error| StoreError::DocumentDamaged {
        what: format!("connection {id}"),
        problem: error.to_string(),
    })?;
    Ok(connection)
}
