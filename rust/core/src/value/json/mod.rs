//! JSON text: reading it with positions in every error, writing it plain or canonical.
//!
//! Both directions walk with a work list of their own, so nesting never becomes depth of stack.

mod error;
mod parse;
mod write;

use sha2::{Digest, Sha256};

pub use error::{JsonError, JsonErrorCode};

use super::Value;

/// How deep containers may be nested in JSON text and in documents.
///
/// Whatever recurses over a value (schemas, conversions, documents) relies on this bound.
pub const MAX_DEPTH: usize = 256;

impl Value {
    /// Reads one JSON text (UTF-8).
    ///
    /// Integers of any size are exact and the order of keys is kept. Stricter than many readers where they would
    /// guess: a repeated key, an unpaired surrogate, `NaN`, `Infinity` and a number beyond the floats are errors.
    ///
    /// ```
    /// use wf_core::value::Value;
    ///
    /// let value = Value::parse_json(r#"{"n": 123456789012345678901234567890}"#)?;
    /// assert_eq!(value.to_json(), r#"{"n":123456789012345678901234567890}"#);
    ///
    /// let error = Value::parse_json("[1, 2").unwrap_err();
    /// assert_eq!(error.to_string(), "unexpected end of the JSON text at line 1 column 6");
    /// # Ok::<(), wf_core::value::JsonError>(())
    /// ```
    pub fn parse_json(text: impl AsRef<[u8]>) -> Result<Self, JsonError> {
        Self::parse_json_with_depth(text, MAX_DEPTH)
    }

    /// Like [`Value::parse_json`], with another bound on the nesting of containers.
    pub fn parse_json_with_depth(text: impl AsRef<[u8]>, max_depth: usize) -> Result<Self, JsonError> {
        parse::parse(text.as_ref(), max_depth)
    }

    /// The value as compact JSON text, keys in their own order.
    pub fn to_json(&self) -> String {
        write::write(self, write::Style::PLAIN)
    }

    /// The value as JSON text in the one form that hashes rely on: sorted keys, no blanks, ASCII only.
    ///
    /// Equal to what Python's `json.dumps(value, sort_keys=True, separators=(",", ":"))` gives.
    pub fn canonical_json(&self) -> String {
        write::write(self, write::Style::CANONICAL)
    }

    /// `sha256:` and the hexadecimal SHA-256 of the canonical JSON text.
    pub fn sha256(&self) -> String {
        let digest = Sha256::digest(self.canonical_json());
        let mut text = String::with_capacity("sha256:".len() + 2 * digest.len());
        text.push_str("sha256:");
        for byte in digest {
            text.extend([byte >> 4, byte & 0xf].into_iter().filter_map(|half| char::from_digit(half.into(), 16)));
        }
        text
    }
}
