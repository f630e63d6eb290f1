//! Events in their table.

use rusqlite::Connection;

use super::SqliteStore;
use super::codec::{decode, encode, natural, number};
use crate::store::{EventRecord, EventStore, Listed, StoreError, StoredEvent};

/// Adds an event within the transaction that is open, and answers its number.
pub(super) fn insert_event(connection: &Connection, event: &EventRecord) -> Result<u64, StoreError> {
    let timestamp = number(event.timestamp_epoch_ms, "time")?;
    connection
        .prepare_cached(
            "INSERT INTO events (kind, timestamp_epoch_ms, capability_id, payload) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute((&event.kind, timestamp, &event.capability_id, encode(&event.payload)))?;
    Ok(natural(connection.last_insert_rowid()))
}

impl EventStore for SqliteStore {
    fn record_event(&self, event: EventRecord) -> Result<u64, StoreError> {
        self.writer.run(move |connection| insert_event(connection, &event))
    }

    fn events(&self, after: u64, limit: u64) -> Result<Listed<StoredEvent>, StoreError> {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.readers.read(|transaction| {
            let mut statement = transaction.prepare_cached(
                "SELECT number, kind, timestamp_epoch_ms, capability_id, payload FROM events
                 WHERE number > ?1 ORDER BY number LIMIT ?2",
            )?;
            let rows = statement.query_map((after, limit), |row| {
                Ok((row.get::<_, i64>(0)?, row.get(1)?, row.get::<_, i64>(2)?, row.get(3)?, row.get::<_, String>(4)?))
            })?;
            let items = rows
                .map(|row| {
                    let (number, kind, timestamp, capability_id, payload) = row?;
                    let payload = decode(&payload, || format!("event {number}"))?;
                    let event = EventRecord { kind, timestamp_epoch_ms: natural(timestamp), capability_id, payload };
                    Ok(StoredEvent { number: natural(number), event })
                })
                .collect::<Result<_, StoreError>>()?;
            let total = transaction.prepare_cached("SELECT count(*) FROM events")?.query_row([], |row| row.get(0))?;
            Ok(Listed { items, total: natural(total) })
        })
    }
}
