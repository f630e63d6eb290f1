//! What can be wrong with a schema, and with a value that is checked against one.

use std::fmt;

use thiserror::Error;

/// Why a JSON Schema cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// The document breaks the rules of its own dialect.
    #[error("invalid JSON Schema: {message}")]
    Invalid {
        /// Where in the schema, as a JSON pointer.
        path: String,
        /// What is wrong there.
        message: String,
    },
    /// A `$ref` leads nowhere within the document; nothing is ever fetched.
    #[error("schema reference cannot be resolved: {message}")]
    UnresolvedReference {
        /// What the resolver said; it names the reference.
        message: String,
    },
    /// A regular expression that a linear-time engine cannot run.
    #[error("schema pattern {pattern} cannot be used: {message}")]
    UnsupportedPattern {
        /// Where in the schema, as a JSON pointer.
        path: String,
        /// The pattern, quoted.
        pattern: String,
        /// Why not.
        message: String,
    },
    /// A schema refers back to itself before anything goes into the value.
    #[error("schema `#{path}` refers to itself without end")]
    Endless {
        /// Where in the schema, as a JSON pointer.
        path: String,
    },
    /// The document is nested deeper than any checker should recurse.
    #[error("schema is nested deeper than {limit} levels")]
    TooDeep {
        /// The deepest nesting allowed.
        limit: usize,
    },
}

impl SchemaError {
    /// The stable code of the error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid { .. } => "schema.invalid",
            Self::UnresolvedReference { .. } => "schema.unresolved_reference",
            Self::UnsupportedPattern { .. } => "schema.unsupported_pattern",
            Self::Endless { .. } => "schema.endless",
            Self::TooDeep { .. } => "schema.too_deep",
        }
    }

    /// Where in the schema the problem is, as a JSON pointer; empty for the whole document.
    pub fn path(&self) -> &str {
        match self {
            Self::Invalid { path, .. } | Self::UnsupportedPattern { path, .. } | Self::Endless { path } => path,
            Self::UnresolvedReference { .. } | Self::TooDeep { .. } => "",
        }
    }

    /// What to do about it, where there is something to say.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Invalid { .. } => None,
            Self::UnresolvedReference { .. } => Some(
                "put the definition under `$defs` and refer to it as `#/$defs/<name>`; remote schemas are not fetched",
            ),
            Self::UnsupportedPattern { .. } => {
                Some("write it without look-around and back-references; patterns run in linear time")
            }
            Self::Endless { .. } => Some("let the recursion go through a property or the items of a list"),
            Self::TooDeep { .. } => Some("flatten the schema, or name its parts under `$defs`"),
        }
    }
}

/// A value that does not meet a schema.
///
/// Displays as `<label><path>: <message>`, for example
/// `node output for counter['count']: 'x' is not of type 'integer'`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct PayloadError {
    /// What was checked.
    pub label: String,
    /// Where in the value, as `['a'][0]`; empty for the whole value.
    pub path: String,
    /// The keyword that was not met; empty when the value could not be checked at all.
    pub keyword: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for PayloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}: {}", self.label, self.path, self.message)
    }
}

impl PayloadError {
    /// The stable code of the error.
    pub fn code(&self) -> &'static str {
        "payload.invalid"
    }
}
