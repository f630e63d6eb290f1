//! Helpers of every listing: search and paging.

use wf_core::value::{Object, Value};

use crate::error::PlatformError;
use crate::page::page_range;

/// Whether any of the texts contains the query, whatever the case; no query, or a blank one, finds everything.
///
/// ```
/// # use wf_platform::listing::matches_query;
/// assert!(matches_query([Some("wf.std.Constant"), None], Some("CONST")));
/// assert!(!matches_query([None], Some("x")) && matches_query([None], Some(" ")));
/// ```
pub fn matches_query<'a>(texts: impl IntoIterator<Item = Option<&'a str>>, query: Option<&str>) -> bool {
    let Some(query) = query.filter(|query| !query.trim().is_empty()) else { return true };
    let query = folded(query);
    texts.into_iter().flatten().any(|text| folded(text).contains(&query))
}

/// A page of rows as a payload: `{key: […], "next_cursor": …, "total": …}`.
///
/// # Errors
/// As [`page_range`].
pub fn paged_list_payload<T: Into<Value> + Clone>(
    key: &str,
    items: &[T],
    cursor: Option<&str>,
    limit: i64,
) -> Result<Object, PlatformError> {
    let (range, next_cursor) = page_range(items.len(), cursor, limit)?;
    let rows: Vec<Value> = items[range].iter().cloned().map(Into::into).collect();
    let mut page = Object::with_capacity(3);
    page.insert(key, Value::List(rows.into()));
    page.insert("next_cursor", Value::from(next_cursor));
    page.insert("total", Value::Int(i64::try_from(items.len()).unwrap_or(i64::MAX)));
    Ok(page)
}

/// The text without regard to case; by way of upper case, so that `ß` finds `SS`.
fn folded(text: &str) -> String {
    text.to_uppercase().to_lowercase()
}
