//! How values stand in columns.

use wf_core::value::{MAX_DEPTH, Value};

use crate::store::StoreError;

/// A value as JSON text.
pub(super) fn encode(value: &Value) -> String {
    value.to_json()
}

/// The value in a column; `what` names the document in an error.
pub(super) fn decode(text: &str, what: impl FnOnce() -> String) -> Result<Value, StoreError> {
    // The store wrote it, so it may be as deep as any value.
    Value::parse_json_with_depth(text, 2 * MAX_DEPTH)
        .map_err(|error| StoreError::DocumentDamaged { what: what(), problem: error.to_string() })
}

/// A number as the database holds it.
pub(super) fn number(number: u64, what: &str) -> Result<i64, StoreError> {
    i64::try_from(number).map_err(|_| StoreError::Unstorable { what: format!("{what} {number}") })
}

/// A number that the database holds; what was never written as negative reads as zero.
pub(super) fn natural(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// Covers the place of a record as well as its body, so that a record in the wrong place is found too.
pub(super) fn checksum(run_id: &str, position: u64, kind: &str, body: &str) -> i64 {
    let mut hasher = crc32fast::Hasher::new();
    for part in [run_id.as_bytes(), &position.to_le_bytes(), kind.as_bytes(), body.as_bytes()] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    i64::from(hasher.finalize())
}
