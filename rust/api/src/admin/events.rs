//! Paging through what happened.

use wf_platform::PlatformError;

use super::{Event, EventPage, ListEvents};
use crate::error::ApiError;
use crate::operations::Application;

impl<H> Application<H> {
    /// A page of the events. A cursor is the number of the last event of the page before.
    pub(super) fn page_of_events(&self, asked: &ListEvents) -> Result<EventPage, ApiError> {
        let after: u64 = match asked.cursor.as_deref() {
            None => 0,
            Some(cursor) if !cursor.is_empty() && cursor.bytes().all(|byte| byte.is_ascii_digit()) => {
                // A number that is too large is past the end.
                cursor.parse().unwrap_or(u64::MAX)
            }
            Some(cursor) => return Err(PlatformError::ForeignCursor { cursor: cursor.into() }.into()),
        };
        let limit = u64::from(asked.limit);
        let mut listed = self.store().events(after, limit + 1)?;
        let more = listed.items.len() as u64 > limit;
        if more {
            listed.items.pop();
        }
        let last = listed.items.last().map(|stored| stored.number.to_string().into());
        let events = listed.items.into_iter().map(|stored| Event {
            number: stored.number,
            kind: stored.event.kind,
            timestamp_epoch_ms: stored.event.timestamp_epoch_ms,
            capability_id: stored.event.capability_id,
            payload: stored.event.payload,
        });
        Ok(EventPage { events: events.collect(), next_cursor: last.filter(|_| more), total: listed.total })
    }
}
