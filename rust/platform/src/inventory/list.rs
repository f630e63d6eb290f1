//! The two questions people ask: which sources are there, and what is in this one.

use std::sync::Arc;

use crate::error::PlatformError;
use crate::page::page_range;
use crate::part::Count;
use crate::registry::Snapshot;

use super::{SourceInventory, SourceStatus};

wf_core::document! {
    /// A page of statuses.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SourcePage: "SourcePage" {
        /// The statuses, sorted by id.
        pub sources: Vec<SourceStatus>,
        /// Where the next page starts, if there is one.
        pub next_cursor: Option<Arc<str>> = None,
        /// How many sources there are.
        pub total: u64 => Count,
    }
    unknown Ignore;
}

/// A page of statuses sorted by id, disabled and hidden sources included.
///
/// # Errors
/// A cursor or limit that is none.
pub fn list_sources<H>(snapshot: &Snapshot<H>, cursor: Option<&str>, limit: i64) -> Result<SourcePage, PlatformError> {
    let (range, next_cursor) = page_range(snapshot.len(), cursor, limit)?;
    Ok(SourcePage {
        sources: snapshot.range(range).map(|entry| SourceStatus::of(entry.source())).collect(),
        next_cursor,
        total: u64::try_from(snapshot.len()).unwrap_or(u64::MAX),
    })
}

/// The full inventory of one source.
///
/// # Errors
/// An unknown id, with the ids that come close.
pub fn inspect_source<H>(snapshot: &Snapshot<H>, id: &str) -> Result<SourceInventory, PlatformError> {
    Ok(SourceInventory::of(snapshot.require(id)?.source()))
}
