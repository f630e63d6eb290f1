//! Paging by offset cursors.

use std::ops::Range;
use std::sync::Arc;

use crate::error::PlatformError;

/// How many items a page holds unless the caller says otherwise.
pub const DEFAULT_LIMIT: i64 = 50;

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// The items of this page.
    pub items: Vec<T>,
    /// Where the next page starts, if there is one.
    pub next_cursor: Option<Arc<str>>,
    /// How many items the whole list has.
    pub total: usize,
}

/// Which part of a list a page shows, and the cursor of the page after it.
///
/// A cursor is the decimal offset of the page's first item; one past the end gives an empty page.
///
/// # Errors
/// [`PlatformError::LimitOutOfRange`], [`PlatformError::NegativeCursor`] and [`PlatformError::ForeignCursor`].
pub fn page_range(
    total: usize,
    cursor: Option<&str>,
    limit: i64,
) -> Result<(Range<usize>, Option<Arc<str>>), PlatformError> {
    let limit = usize::try_from(limit).ok().filter(|&limit| limit > 0).ok_or(PlatformError::LimitOutOfRange)?;
    let start = cursor.map_or(Ok(0), offset)?.min(total);
    let end = start.saturating_add(limit).min(total);
    let next = (end < total).then(|| Arc::from(end.to_string()));
    Ok((start..end, next))
}

/// One page of `items`.
///
/// # Errors
/// As [`page_range`].
///
/// ```
/// # use wf_platform::page::page_items;
/// let page = page_items(&["a", "b", "c"], Some("1"), 1)?;
/// assert_eq!((page.items, page.next_cursor.as_deref(), page.total), (vec!["b"], Some("2"), 3));
/// # Ok::<(), wf_platform::PlatformError>(())
/// ```
pub fn page_items<T: Clone>(items: &[T], cursor: Option<&str>, limit: i64) -> Result<Page<T>, PlatformError> {
    let (range, next_cursor) = page_range(items.len(), cursor, limit)?;
    Ok(Page { items: items[range].to_vec(), next_cursor, total: items.len() })
}

fn offset(cursor: &str) -> Result<usize, PlatformError> {
    let foreign = || PlatformError::ForeignCursor { cursor: cursor.into() };
    let digits = cursor.trim();
    let (negative, digits) = digits.strip_prefix('-').map_or((false, digits), |rest| (true, rest));
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(foreign());
    }
    if negative && digits.bytes().any(|byte| byte != b'0') {
        return Err(PlatformError::NegativeCursor);
    }
    // A number too large for an offset is past the end of every list.
    Ok(digits.parse().unwrap_or(usize::MAX))
}
