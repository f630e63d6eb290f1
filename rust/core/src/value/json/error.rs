//! What can be wrong with a JSON text.

use std::fmt;

/// The first mistake in a JSON text, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} at line {line} column {column}")]
pub struct JsonError {
    /// What kind of mistake.
    pub code: JsonErrorCode,
    /// What is wrong, without the place.
    pub message: String,
    /// The line, from 1.
    pub line: usize,
    /// The column within the line, from 1, in characters.
    pub column: usize,
    /// The byte within the text, from 0.
    pub offset: usize,
}

/// The kinds of mistakes a JSON text can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JsonErrorCode {
    /// The text is not JSON.
    Syntax,
    /// The text is not UTF-8.
    Encoding,
    /// A number is not finite or beyond what a float can hold.
    Number,
    /// An escape names half of a surrogate pair.
    LoneSurrogate,
    /// An object has the same key twice.
    DuplicateKey,
    /// Containers are nested too deep.
    TooDeep,
}

impl JsonErrorCode {
    /// The stable code, for example `json.syntax`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Syntax => "json.syntax",
            Self::Encoding => "json.encoding",
            Self::Number => "json.number",
            Self::LoneSurrogate => "json.lone_surrogate",
            Self::DuplicateKey => "json.duplicate_key",
            Self::TooDeep => "json.too_deep",
        }
    }
}

impl fmt::Display for JsonErrorCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl JsonError {
    pub(super) fn new(text: &[u8], offset: usize, code: JsonErrorCode, message: impl Into<String>) -> Self {
        let offset = offset.min(text.len());
        let before = &text[..offset];
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        // Continuation bytes do not start a character.
        let characters = before[line_start..].iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        Self {
            code,
            message: message.into(),
            line: before.split(|byte| *byte == b'\n').count(),
            column: characters + 1,
            offset,
        }
    }
}
