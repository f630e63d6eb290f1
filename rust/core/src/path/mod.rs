//! Paths: where a binding reads, and where it writes.
//!
//! A path is a chain of literal object keys. Its text is a TOML dotted key; its structural form is
//! `{"root": …, "parts": […]}`, in which dots and blanks are ordinary characters. Lists are never indexed.

mod error;
mod overlap;
mod structural;
mod toml_key;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

pub use error::{PathError, PathKind};
pub use overlap::{first_overlap, parts_overlap};
pub use toml_key::{format_segments, parse_segments};

/// The literal keys of a path, from the root down.
type Parts = Arc<[Arc<str>]>;

/// The root object a graph source path reads from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GraphRoot {
    /// The input of the workflow.
    Input,
    /// The state of the workflow, as the frame sees it.
    State,
    /// The context of the frame: prior outcome, loop items, ids.
    Context,
}

/// A place in a node's payload or output; no segments means the whole payload.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalPath(pub(crate) Parts);

/// A place to read from: `input…`, `state…` or `context…`; no segments means the whole root object.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GraphSourcePath {
    pub(crate) root: GraphRoot,
    pub(crate) parts: Parts,
}

/// A place to write to, below `state`; at least one segment.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StatePath(pub(crate) Parts);

impl GraphRoot {
    /// Every root, in the order in which messages name them.
    pub const ALL: [Self; 3] = [Self::Input, Self::State, Self::Context];

    /// The name by which paths begin.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::State => "state",
            Self::Context => "context",
        }
    }

    /// The root of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|root| root.as_str() == name)
    }
}

impl fmt::Display for GraphRoot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl LocalPath {
    /// The root: the whole payload.
    pub fn root() -> Self {
        Self(Parts::from([]))
    }

    /// A path of literal segments.
    pub fn new<S: Into<Arc<str>>>(parts: impl IntoIterator<Item = S>) -> Result<Self, PathError> {
        Ok(Self(checked(parts, PathKind::Local)?))
    }

    /// A path of fragments that are split at plain dots; no fragment means the root.
    pub fn of<S: AsRef<str>>(fragments: impl IntoIterator<Item = S>) -> Result<Self, PathError> {
        Ok(Self(split(fragments, PathKind::Local)?))
    }

    /// Reads the text form: `.` for the root, else a TOML key.
    ///
    /// ```
    /// use wf_core::path::LocalPath;
    ///
    /// let path = LocalPath::parse(r#"report."page title""#)?;
    /// assert_eq!(path.parts().len(), 2);
    /// assert_eq!(path.to_string(), r#"report."page title""#);
    /// # Ok::<(), wf_core::path::PathError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, PathError> {
        if text == "." { Ok(Self::root()) } else { Ok(Self(parse_segments(text)?.into())) }
    }

    /// The segments below the payload's root.
    pub fn parts(&self) -> &[Arc<str>] {
        &self.0
    }

    /// Whether this is the root, the whole payload.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of the two contains the other.
    pub fn overlaps(&self, other: &Self) -> bool {
        parts_overlap(&self.0, &other.0)
    }
}

impl GraphSourcePath {
    /// A path of literal segments below a root.
    pub fn new<S: Into<Arc<str>>>(root: GraphRoot, parts: impl IntoIterator<Item = S>) -> Result<Self, PathError> {
        Ok(Self { root, parts: checked(parts, PathKind::GraphSource)? })
    }

    /// A path of fragments that are split at plain dots; no fragment means the root object.
    pub fn of<S: AsRef<str>>(root: GraphRoot, fragments: impl IntoIterator<Item = S>) -> Result<Self, PathError> {
        Ok(Self { root, parts: split(fragments, PathKind::GraphSource)? })
    }

    /// Reads the text form: a TOML key that begins with `input`, `state` or `context`.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let mut segments = parse_segments(text)?.into_iter();
        let first = segments.next().unwrap_or_else(|| Arc::from(""));
        let root = GraphRoot::from_name(&first).ok_or_else(|| PathError::UnknownRoot(first.to_string()))?;
        Ok(Self { root, parts: segments.collect() })
    }

    /// The root object.
    pub fn root(&self) -> GraphRoot {
        self.root
    }

    /// The segments below the root.
    pub fn parts(&self) -> &[Arc<str>] {
        &self.parts
    }
}

impl StatePath {
    /// A path of literal segments below `state`; at least one.
    pub fn new<S: Into<Arc<str>>>(parts: impl IntoIterator<Item = S>) -> Result<Self, PathError> {
        Self::of_parts(checked(parts, PathKind::State)?)
    }

    /// A path of fragments that are split at plain dots; at least one.
    pub fn of<S: AsRef<str>>(fragments: impl IntoIterator<Item = S>) -> Result<Self, PathError> {
        Self::of_parts(split(fragments, PathKind::State)?)
    }

    /// Reads the text form: a TOML key that begins with `state` and goes on.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let segments = parse_segments(text)?;
        match segments.split_first() {
            Some((root, parts)) if root.as_ref() == "state" => Self::of_parts(parts.into()),
            _ => Err(PathError::NoStatePath),
        }
    }

    fn of_parts(parts: Parts) -> Result<Self, PathError> {
        if parts.is_empty() { Err(PathError::NoStatePath) } else { Ok(Self(parts)) }
    }

    /// The segments below `state`.
    pub fn parts(&self) -> &[Arc<str>] {
        &self.0
    }

    /// Whether one of the two contains the other.
    pub fn overlaps(&self, other: &Self) -> bool {
        parts_overlap(&self.0, &other.0)
    }
}

/// Checks every literal segment.
fn checked<S: Into<Arc<str>>>(parts: impl IntoIterator<Item = S>, kind: PathKind) -> Result<Parts, PathError> {
    let parts: Parts = parts.into_iter().map(Into::into).collect();
    for part in parts.iter() {
        error::check_segment(part, kind)?;
    }
    Ok(parts)
}

/// Splits fragments at plain dots.
fn split<S: AsRef<str>>(fragments: impl IntoIterator<Item = S>, kind: PathKind) -> Result<Parts, PathError> {
    let mut parts: Vec<Arc<str>> = Vec::new();
    for fragment in fragments {
        let fragment = fragment.as_ref();
        if fragment.is_empty() {
            return Err(PathError::EmptyFragment(kind));
        }
        for piece in fragment.split('.') {
            if piece.is_empty() {
                return Err(PathError::EmptyPiece { kind, fragment: fragment.to_owned() });
            }
            error::check_segment(piece, kind)?;
            parts.push(Arc::from(piece));
        }
    }
    Ok(parts.into())
}

impl fmt::Display for LocalPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_root() { formatter.write_str(".") } else { toml_key::write_segments(formatter, None, &self.0) }
    }
}

impl fmt::Display for GraphSourcePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        toml_key::write_segments(formatter, Some(self.root.as_str()), &self.parts)
    }
}

impl fmt::Display for StatePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        toml_key::write_segments(formatter, Some(GraphRoot::State.as_str()), &self.0)
    }
}

macro_rules! parses_from_text {
    ($($path:ty),+) => {$(
        impl FromStr for $path {
            type Err = PathError;

            fn from_str(text: &str) -> Result<Self, PathError> {
                Self::parse(text)
            }
        }
    )+};
}

parses_from_text!(LocalPath, GraphSourcePath, StatePath);
