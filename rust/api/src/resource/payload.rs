//! The payload that a reader answers, parsed at the edge: a list of contents, each a text or a blob.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use wf_core::value::{Object, Value};
use wf_platform::resource_ref::ReadContentKind;

use super::{ReadRequest, ResourceError};

/// What a reader answers for one resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourcePayload {
    /// The contents; none at all is an empty resource.
    pub contents: Vec<ResourceContent>,
    /// Whether the reader stopped before the end.
    pub truncated: bool,
    /// Where the text starts; a reader that does not page starts at zero.
    pub offset: u64,
}

/// One content of a resource.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceContent {
    /// Its URI.
    pub uri: Option<Arc<str>>,
    /// Its MIME type.
    pub mime_type: Option<Arc<str>>,
    /// The size of the whole content in bytes, when the reader knows it.
    pub size: Option<u64>,
    /// What is in it.
    pub body: ContentBody,
}

/// What is in a content.
#[derive(Clone, Debug, PartialEq)]
pub enum ContentBody {
    /// A text.
    Text(Arc<str>),
    /// Bytes in base64; `None` when the reader only reports them.
    Blob(Option<Arc<str>>),
}

impl ResourcePayload {
    /// Reads a payload as a reader wrote it.
    ///
    /// # Errors
    /// [`ResourceError::PayloadMalformed`], which names source, URI and what is wrong.
    pub fn parse(value: &Value, request: &ReadRequest) -> Result<Self, ResourceError> {
        parse_payload(value).map_err(|problem| ResourceError::PayloadMalformed {
            source_id: request.source_id.clone(),
            uri: request.uri.clone(),
            problem,
        })
    }

    /// The payload as a reader would write it.
    pub fn to_value(&self) -> Value {
        let contents: Vec<Value> = self.contents.iter().map(|content| content.to_object().into()).collect();
        let mut object = Object::new();
        object.insert("contents", contents);
        if self.truncated {
            object.insert("truncated", true);
        }
        if self.offset > 0 {
            object.insert("offset", count(self.offset));
        }
        object.into()
    }
}

impl ResourceContent {
    fn to_object(&self) -> Object {
        let mut object = Object::new();
        let kind = self.kind();
        object.insert("type", kind.as_str());
        if let Some(uri) = &self.uri {
            object.insert("uri", uri.clone());
        }
        if let Some(mime_type) = &self.mime_type {
            object.insert("mimeType", mime_type.clone());
        }
        match &self.body {
            ContentBody::Text(text) => object.insert("text", text.clone()),
            ContentBody::Blob(Some(blob)) => object.insert("blob", blob.clone()),
            ContentBody::Blob(None) => None,
        };
        if let Some(size) = self.size {
            object.insert("size", count(size));
        }
        object
    }

    /// Text or blob.
    pub fn kind(&self) -> ReadContentKind {
        match self.body {
            ContentBody::Text(_) => ReadContentKind::Text,
            ContentBody::Blob(_) => ReadContentKind::Blob,
        }
    }
}

/// A size as JSON; sizes beyond 2^63 do not occur on any file system.
fn count(size: u64) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

fn parse_payload(value: &Value) -> Result<ResourcePayload, String> {
    let payload = value.as_object().ok_or_else(|| format!("expected an object, got {}", value.type_name()))?;
    let contents = match payload.get("contents") {
        None => return Err("there is no list under `contents`".to_owned()),
        Some(Value::List(contents)) => contents,
        Some(other) => {
            return Err(format!("`contents` must be a list, got {}", other.type_name()));
        }
    };
    let contents = contents
        .iter()
        .enumerate()
        .map(|(index, content)| parse_content(content).map_err(|problem| format!("`contents[{index}]`: {problem}")))
        .collect::<Result<_, _>>()?;
    let truncated = match payload.get("truncated") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(truncated)) => *truncated,
        Some(other) => {
            return Err(format!("`truncated` must be a boolean, got {}", other.type_name()));
        }
    };
    let offset = natural(payload, "offset")?.unwrap_or(0);
    Ok(ResourcePayload { contents, truncated, offset })
}

fn parse_content(value: &Value) -> Result<ResourceContent, String> {
    let content = value.as_object().ok_or_else(|| format!("expected an object, got {}", value.type_name()))?;
    let text = optional_text(content, "text")?;
    let blob = optional_text(content, "blob")?;
    let mut size = natural(content, "size")?;
    let body = match (text, blob) {
        (Some(_), Some(_)) => return Err("`text` and `blob` exclude each other".to_owned()),
        (Some(text), None) => ContentBody::Text(text),
        (None, Some(blob)) => {
            let decoded = decoded_size(&blob)?;
            size = size.or(Some(decoded));
            ContentBody::Blob(Some(blob))
        }
        // A reader may report a blob without sending it.
        (None, None) if content.get("type").and_then(Value::as_str) == Some("blob") => ContentBody::Blob(None),
        (None, None) => return Err("there is neither `text` nor `blob`".to_owned()),
    };
    Ok(ResourceContent {
        uri: optional_text(content, "uri")?,
        mime_type: optional_text(content, "mimeType")?,
        size,
        body,
    })
}

fn optional_text(content: &Object, key: &str) -> Result<Option<Arc<str>>, String> {
    match content.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(format!("`{key}` must be a string, got {}", other.type_name())),
    }
}

fn natural(object: &Object, key: &str) -> Result<Option<u64>, String> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value
            .as_i64()
            .and_then(|number| u64::try_from(number).ok())
            .map(Some)
            .ok_or_else(|| format!("`{key}` must be an integer of at least 0")),
    }
}

/// How many bytes the base64 text stands for; decodes in pieces, so that a large blob costs no second copy.
fn decoded_size(blob: &str) -> Result<u64, String> {
    const PIECE: usize = 4096;
    let mut buffer = [0_u8; PIECE];
    let mut pieces = blob.as_bytes().chunks(PIECE).peekable();
    let mut size = 0;
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_some() && piece.last() == Some(&b'=') {
            return Err("`blob` is no base64: there is padding before the end".to_owned());
        }
        let bytes =
            STANDARD.decode_slice(piece, &mut buffer).map_err(|error| format!("`blob` is no base64: {error}"))?;
        size += bytes;
    }
    Ok(u64::try_from(size).unwrap_or(u64::MAX))
}
