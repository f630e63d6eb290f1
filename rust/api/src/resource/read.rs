//! The one place where a ref is dereferenced and a payload is bounded.

use std::sync::Arc;

use wf_platform::resource_ref::{ReadContentKind, ReadContentSummary, ReadResourceOutput};

use super::{ContentBody, PlatformContext, ReadBounds, ReadRequest, ResourceContent, ResourceError, ResourcePayload};

/// How many contents a result describes; all of them are counted.
const LARGEST_SUMMARY: usize = 1_000;

/// Dereferences a resource ref: resolves its logical source, reads within the bounds, and bounds again.
///
/// `mime_type` is what the ref says; it stands in when the reader says nothing.
///
/// # Errors
/// Whatever [`PlatformContext`] and [`bound_payload`] refuse, and [`ResourceError::NoPlatform`] without a context.
pub async fn read_resource(
    platform: Option<&dyn PlatformContext>,
    logical_source: &str,
    uri: Arc<str>,
    mime_type: Option<Arc<str>>,
    bounds: ReadBounds,
) -> Result<ReadResourceOutput, ResourceError> {
    let platform = platform.ok_or(ResourceError::NoPlatform)?;
    let source_id = platform.resolve_source(logical_source)?;
    let request = ReadRequest { source_id, uri, bounds };
    let payload = platform.read_resource(&request).await?;
    bound_payload(&payload, &request, mime_type)
}

/// Cuts a payload down to what was asked for, whatever the reader sent.
///
/// # Errors
/// [`ResourceError::PayloadMalformed`] when the text starts behind the offset, and
/// [`ResourceError::PagingUnsupported`] when the reader stopped before it.
pub fn bound_payload(
    payload: &ResourcePayload,
    request: &ReadRequest,
    mime_type: Option<Arc<str>>,
) -> Result<ReadResourceOutput, ResourceError> {
    let bounds = request.bounds;
    let first_text = payload.contents.iter().find(|content| content.kind() == ReadContentKind::Text);
    let described = first_text.or_else(|| payload.contents.first());
    let mime_type = described.and_then(|content| content.mime_type.clone()).or(mime_type);

    let mut truncated = payload.truncated;
    let mut next_offset = None;
    let text = match first_text.map(|content| &content.body) {
        Some(ContentBody::Text(text)) => {
            let window = window(text, payload, request)?;
            truncated |= window.cut;
            if truncated && window.chars > 0 {
                next_offset = Some(bounds.offset() + window.chars);
            }
            Some(window.text)
        }
        _ => None,
    };
    let blob = payload.contents.iter().find_map(|content| match &content.body {
        ContentBody::Blob(blob) => Some((blob.as_ref()?, decoded_len(blob.as_ref()?))),
        ContentBody::Text(_) => None,
    });
    let blob = blob
        .filter(|(_, bytes)| bounds.max_blob_bytes() > 0 && *bytes <= bounds.max_blob_bytes())
        .map(|(blob, _)| blob.clone());
    Ok(ReadResourceOutput {
        source_id: request.source_id.clone(),
        uri: request.uri.clone(),
        mime_type,
        text,
        content_count: u64::try_from(payload.contents.len()).unwrap_or(u64::MAX),
        truncated,
        offset: bounds.offset(),
        next_offset,
        contents: payload
            .contents
            .iter()
            .take(LARGEST_SUMMARY)
            .map(|content| summary(content, payload.truncated))
            .collect(),
        blob,
    })
}

struct Window {
    text: Arc<str>,
    chars: u64,
    cut: bool,
}

/// The part of the text that lies within the bounds, in Unicode scalar values.
fn window(text: &Arc<str>, payload: &ResourcePayload, request: &ReadRequest) -> Result<Window, ResourceError> {
    let bounds = request.bounds;
    let Some(skip) = bounds.offset().checked_sub(payload.offset) else {
        return Err(ResourceError::PayloadMalformed {
            source_id: request.source_id.clone(),
            uri: request.uri.clone(),
            problem: format!("the text starts at character {}, behind the offset {}", payload.offset, bounds.offset()),
        });
    };
    let Some(rest) = after_chars(text, skip) else {
        if payload.truncated {
            return Err(ResourceError::PagingUnsupported {
                source_id: request.source_id.clone(),
                uri: request.uri.clone(),
                offset: bounds.offset(),
            });
        }
        return Ok(Window { text: Arc::from(""), chars: 0, cut: false });
    };
    if let Some((end, _)) = rest.char_indices().nth(bounds.max_chars()) {
        let chars = u64::try_from(bounds.max_chars()).unwrap_or(u64::MAX);
        return Ok(Window { text: Arc::from(&rest[..end]), chars, cut: true });
    }
    let chars = u64::try_from(rest.chars().count()).unwrap_or(u64::MAX);
    let text = if rest.len() == text.len() { text.clone() } else { Arc::from(rest) };
    Ok(Window { text, chars, cut: false })
}

/// The text behind its first `skip` characters; `None` when it has fewer.
fn after_chars(text: &str, skip: u64) -> Option<&str> {
    if skip == 0 {
        return Some(text);
    }
    let last_skipped = usize::try_from(skip - 1).ok()?;
    let (start, character) = text.char_indices().nth(last_skipped)?;
    Some(&text[start + character.len_utf8()..])
}

fn summary(content: &ResourceContent, truncated: bool) -> ReadContentSummary {
    let received = match &content.body {
        // A text that was cut says nothing about the size of the whole.
        ContentBody::Text(text) if !truncated => u64::try_from(text.len()).ok(),
        _ => None,
    };
    ReadContentSummary {
        uri: content.uri.clone(),
        mime_type: content.mime_type.clone(),
        kind: content.kind(),
        size: content.size.or(received),
    }
}

/// The bytes that a base64 text stands for; the payload was checked when it was parsed.
fn decoded_len(blob: &str) -> usize {
    let padding = blob.bytes().rev().take_while(|byte| *byte == b'=').count();
    (blob.len() / 4 * 3).saturating_sub(padding)
}
