//! Where a source comes from.

use std::fmt;

/// Where a source comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SourceKind {
    /// `system`: part of the platform.
    System,
    /// `connection`: something outside, such as an upstream MCP server or a directory of files.
    Connection,
    /// `python`: a trusted Python module.
    Python,
}

impl SourceKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::System, Self::Connection, Self::Python];

    /// The name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Connection => "connection",
            Self::Python => "python",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

impl fmt::Display for SourceKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
