//! The two questions people ask: which sources are there, and what is in this one.

use wf_core::value::{Object, Value};

use crate::error::PlatformError;
use crate::page::page_range;
use crate::registry::Snapshot;

use super::status::count_value;
use super::{SourceInventory, SourceStatus};

/// A page of statuses sorted by id, disabled and hidden sources included:
/// `{"sources": […], "next_cursor": …, "total": …}`.
///
/// # Errors
/// A cursor or limit that is none.
pub fn list_sources<H>(snapshot: &Snapshot<H>, cursor: Option<&str>, limit: i64) -> Result<Object, PlatformError> {
    let (range, next_cursor) = page_range(snapshot.len(), cursor, limit)?;
    let rows: Vec<Object> = snapshot.range(range).map(|entry| SourceStatus::of(entry.source()).to_object()).collect();
    let mut page = Object::with_capacity(3);
    page.insert("sources", rows);
    page.insert("next_cursor", Value::from(next_cursor));
    page.insert("total", count_value(snapshot.len()));
    Ok(page)
}

/// The full inventory of one source.
///
/// # Errors
/// An unknown id, with the ids that come close.
pub fn inspect_source<H>(snapshot: &Snapshot<H>, id: &str) -> Result<Object, PlatformError> {
    Ok(SourceInventory::of(snapshot.require(id)?.source()).to_object())
}
