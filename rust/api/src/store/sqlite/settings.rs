//! Settings in their table.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _};
use wf_core::value::Value;

use super::SqliteStore;
use super::codec::{decode, encode, number};
use super::events::insert_event;
use crate::store::{SettingChange, SettingKind, SettingStore, StoreError};

impl SettingStore for SqliteStore {
    fn setting(&self, kind: SettingKind, id: &str) -> Result<Option<Value>, StoreError> {
        self.readers.read(|transaction| current(transaction, kind, id))
    }

    fn settings(&self, kind: SettingKind) -> Result<Vec<(Arc<str>, Value)>, StoreError> {
        self.readers.read(|transaction| {
            let mut statement =
                transaction.prepare_cached("SELECT id, document FROM settings WHERE kind = ?1 ORDER BY id")?;
            let rows = statement
                .query_map([kind.as_str()], |row| Ok((row.get::<_, Arc<str>>(0)?, row.get::<_, String>(1)?)))?;
            rows.map(|row| {
                let (id, document) = row?;
                let value = decode(&document, || what(kind, &id))?;
                Ok((id, value))
            })
            .collect()
        })
    }

    fn change_setting(&self, change: SettingChange) -> Result<bool, StoreError> {
        let at = number(change.at, "time")?;
        self.writer.run(move |connection| {
            let SettingChange { kind, id, before, after, event, .. } = change;
            if current(connection, kind, &id)? != before {
                return Ok(false);
            }
            match after {
                Some(document) => connection
                    .prepare_cached(
                        "INSERT OR REPLACE INTO settings (kind, id, document, updated_at) VALUES (?1, ?2, ?3, ?4)",
                    )?
                    .execute((kind.as_str(), &id, encode(&document), at))?,
                None => connection
                    .prepare_cached("DELETE FROM settings WHERE kind = ?1 AND id = ?2")?
                    .execute((kind.as_str(), &id))?,
            };
            insert_event(connection, &event)?;
            Ok(true)
        })
    }
}

fn current(connection: &Connection, kind: SettingKind, id: &str) -> Result<Option<Value>, StoreError> {
    let document: Option<String> = connection
        .prepare_cached("SELECT document FROM settings WHERE kind = ?1 AND id = ?2")?
        .query_row((kind.as_str(), id), |row| row.get(0))
        .optional()?;
    document.map(|document| decode(&document, || what(kind, id))).transpose()
}

fn what(kind: SettingKind, id: &str) -> String {
    format!("{} of {id}", kind.as_str())
}
