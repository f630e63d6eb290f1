//! References to sources and to the capabilities they own.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::value::{Object, Value};

/// The id of a capability source, such as `wf.std`: one or more non-empty segments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceRef(pub(crate) Arc<[Arc<str>]>);

/// A capability within a source, such as `add` of `wf.std`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CapabilityRef {
    /// The source that owns it.
    pub source: SourceRef,
    /// Its name within the source; never empty, may contain dots.
    pub name: Arc<str>,
}

/// Why something is no reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum RefError {
    /// A source has no segment, or a blank one.
    #[error("source ref requires non-empty path segments")]
    BlankSource,
    /// A capability has no name.
    #[error("capability ref requires a non-empty name")]
    BlankName,
    /// The text has no dot between a source and a name.
    #[error("capability ref requires source and capability segments")]
    NoSource,
    /// Neither a text nor `{"parts": […]}`.
    #[error("source ref must be a string or an object with parts")]
    NoSourceRef,
    /// Neither a text nor `{"source": …, "capability_key": …}`.
    #[error("capability ref must be a string or an object with source and capability_key")]
    NoCapabilityRef,
}

impl RefError {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::BlankSource => "ref.blank_source",
            Self::BlankName => "ref.blank_name",
            Self::NoSource => "ref.no_source",
            Self::NoSourceRef | Self::NoCapabilityRef => "ref.type",
        }
    }
}

impl SourceRef {
    /// A source of the given segments; one with dots in it is several, since the text of a source is its identity.
    pub fn new<S: AsRef<str>>(parts: impl IntoIterator<Item = S>) -> Result<Self, RefError> {
        let mut segments: Vec<Arc<str>> = Vec::new();
        for part in parts {
            segments.extend(part.as_ref().split('.').map(Arc::from));
        }
        let parts: Arc<[Arc<str>]> = segments.into();
        if parts.is_empty() || parts.iter().any(|part| part.trim().is_empty()) {
            return Err(RefError::BlankSource);
        }
        Ok(Self(parts))
    }

    /// Reads dotted text, such as `wf.std`.
    pub fn parse(text: &str) -> Result<Self, RefError> {
        Self::new([text])
    }

    /// Reads dotted text or `{"parts": […]}`.
    pub fn from_value(value: &Value) -> Result<Self, RefError> {
        if let Value::String(text) = value {
            return Self::parse(text);
        }
        let parts = value.as_object().and_then(|object| object.get("parts")?.as_list()).ok_or(RefError::NoSourceRef)?;
        let parts: Option<Vec<&str>> = parts.iter().map(Value::as_str).collect();
        Self::new(parts.ok_or(RefError::NoSourceRef)?)
    }

    /// The segments.
    pub fn parts(&self) -> &[Arc<str>] {
        &self.0
    }
}

impl CapabilityRef {
    /// A capability of a source.
    pub fn new(source: SourceRef, name: impl Into<Arc<str>>) -> Result<Self, RefError> {
        let name = name.into();
        if name.is_empty() { Err(RefError::BlankName) } else { Ok(Self { source, name }) }
    }

    /// Reads dotted text; what stands behind the last dot is the name.
    ///
    /// Which source a name with dots belongs to is for the registry of sources to say; text cannot.
    pub fn parse(text: &str) -> Result<Self, RefError> {
        let (source, name) = text.rsplit_once('.').ok_or(RefError::NoSource)?;
        if source.is_empty() || name.is_empty() {
            return Err(RefError::NoSource);
        }
        Self::new(SourceRef::parse(source)?, name)
    }

    /// Reads dotted text, or `{"source": …, "capability_key": …}` (also spelt `name`).
    pub fn from_value(value: &Value) -> Result<Self, RefError> {
        if let Value::String(text) = value {
            return Self::parse(text);
        }
        let object = value.as_object().ok_or(RefError::NoCapabilityRef)?;
        let name = object.get("capability_key").or_else(|| object.get("name"));
        match (object.get("source"), name) {
            (Some(source), Some(Value::String(name))) => Self::new(SourceRef::from_value(source)?, name.clone()),
            _ => Err(RefError::NoCapabilityRef),
        }
    }

    /// The structural form: `{"source": "wf.std", "capability_key": "add"}`.
    pub fn to_value(&self) -> Value {
        Value::Object(Object::from_iter([
            ("source", Value::from(self.source.to_string())),
            ("capability_key", Value::String(self.name.clone())),
        ]))
    }
}

impl fmt::Display for SourceRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.0.iter().enumerate() {
            if index > 0 {
                formatter.write_str(".")?;
            }
            formatter.write_str(part)?;
        }
        Ok(())
    }
}

impl fmt::Display for CapabilityRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.source, self.name)
    }
}

impl FromStr for SourceRef {
    type Err = RefError;

    fn from_str(text: &str) -> Result<Self, RefError> {
        Self::parse(text)
    }
}

impl FromStr for CapabilityRef {
    type Err = RefError;

    fn from_str(text: &str) -> Result<Self, RefError> {
        Self::parse(text)
    }
}
