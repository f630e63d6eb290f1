//! What can be wrong with a path.

use std::fmt;

use crate::value::repr_text;

/// Which sort of path a message speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathKind {
    /// A place in a payload.
    Local,
    /// A place to read from.
    GraphSource,
    /// A place in the state.
    State,
    /// Any path, while its text is read.
    Toml,
}

impl fmt::Display for PathKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Local => "local",
            Self::GraphSource => "graph source",
            Self::State => "state",
            Self::Toml => "TOML path",
        })
    }
}

/// Why something is no path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// The text is not a TOML key.
    #[error("invalid TOML path {}; quote path segments containing dots or spaces", repr_text(.0))]
    Syntax(String),
    /// A segment is empty or blank.
    #[error("invalid {kind} segment {}", repr_text(.segment))]
    BlankSegment {
        /// The sort of path.
        kind: PathKind,
        /// The segment.
        segment: String,
    },
    /// A segment has a control character in it.
    #[error("invalid {kind} segment {}; control characters are not allowed", repr_text(.segment))]
    ControlCharacter {
        /// The sort of path.
        kind: PathKind,
        /// The segment.
        segment: String,
    },
    /// A source path begins with something else than `input`, `state` or `context`.
    #[error("unknown path root {}", repr_text(.0))]
    UnknownRoot(String),
    /// A state path does not begin with `state`, or ends there.
    #[error("expected state path such as state.foo")]
    NoStatePath,
    /// A fragment is empty.
    #[error("invalid {0} path")]
    EmptyFragment(PathKind),
    /// A fragment has nothing before, between or behind its dots.
    #[error("invalid {kind} path {}", repr_text(.fragment))]
    EmptyPiece {
        /// The sort of path.
        kind: PathKind,
        /// The fragment.
        fragment: String,
    },
    /// There are no segments to write.
    #[error("cannot format an empty TOML path")]
    NothingToFormat,
    /// The structural form names another root.
    #[error("expected {0} path root")]
    StructuralRoot(PathKind),
    /// The `parts` of the structural form are no list of strings.
    #[error("{0} path parts must be strings")]
    StructuralParts(PathKind),
    /// Neither a text nor the structural form.
    #[error("expected {0} path string or structural object")]
    NoPath(PathKind),
}

impl PathError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Syntax(_) => "path.syntax",
            Self::BlankSegment { .. } | Self::EmptyFragment(_) | Self::EmptyPiece { .. } => "path.blank_segment",
            Self::ControlCharacter { .. } => "path.control_character",
            Self::UnknownRoot(_) | Self::StructuralRoot(_) | Self::NoStatePath => "path.root",
            Self::NothingToFormat => "path.empty",
            Self::StructuralParts(_) => "path.parts",
            Self::NoPath(_) => "path.type",
        }
    }
}

/// Refuses what no segment may be.
pub(super) fn check_segment(segment: &str, kind: PathKind) -> Result<(), PathError> {
    if segment.chars().any(|character| character.is_ascii_control()) {
        return Err(PathError::ControlCharacter { kind, segment: segment.to_owned() });
    }
    if segment.trim().is_empty() {
        return Err(PathError::BlankSegment { kind, segment: segment.to_owned() });
    }
    Ok(())
}
