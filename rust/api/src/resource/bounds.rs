//! How much of a resource a read may return, and from where.

use std::sync::Arc;

use super::ResourceError;

/// The bounds of one read, all in what the caller will see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadBounds {
    max_chars: usize,
    offset: u64,
    max_blob_bytes: usize,
}

impl ReadBounds {
    /// How many characters a read returns unless it says otherwise.
    pub const DEFAULT_MAX_CHARS: usize = 4_000;

    /// The most characters that `wf.source.read_resource` returns at once.
    pub const LARGEST_MAX_CHARS: usize = 20_000;

    /// The most bytes of a blob that `wf.source.read_resource` returns.
    pub const LARGEST_BLOB_BYTES: usize = 1_000_000;

    /// How far into a text a reader without paging is asked to read for the sake of an offset.
    pub const UNPAGED_CHARS: u64 = 1_000_000;

    /// Bounds for a text of at most `max_chars` Unicode scalar values, from its beginning.
    ///
    /// # Errors
    /// [`ResourceError::BoundsInvalid`] when `max_chars` is zero.
    pub fn new(max_chars: usize) -> Result<Self, ResourceError> {
        if max_chars == 0 {
            return Err(ResourceError::BoundsInvalid {
                name: "max_chars",
                expected: "at least 1",
                got: "0".to_owned(),
            });
        }
        Ok(Self { max_chars, offset: 0, max_blob_bytes: 0 })
    }

    /// The same bounds, from the character `offset` on.
    #[must_use]
    pub fn at_offset(self, offset: u64) -> Self {
        Self { offset, ..self }
    }

    /// The same bounds, with a blob returned when it has at most this many bytes.
    #[must_use]
    pub fn with_blob_bytes(self, max_blob_bytes: usize) -> Self {
        Self { max_blob_bytes, ..self }
    }

    /// The most characters to return.
    pub fn max_chars(&self) -> usize {
        self.max_chars
    }

    /// The first character to return.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The largest blob to return, in bytes; zero means none.
    pub fn max_blob_bytes(&self) -> usize {
        self.max_blob_bytes
    }

    /// The bounds to tell a reader that always reads from the beginning; `None` when that would be too much.
    pub fn from_the_beginning(&self) -> Option<Self> {
        if self.offset == 0 {
            return Some(*self);
        }
        let end = self.offset.checked_add(u64::try_from(self.max_chars).ok()?)?;
        let max_chars = usize::try_from(end).ok().filter(|_| end <= Self::UNPAGED_CHARS)?;
        Some(Self { max_chars, offset: 0, max_blob_bytes: self.max_blob_bytes })
    }
}

impl Default for ReadBounds {
    fn default() -> Self {
        Self { max_chars: Self::DEFAULT_MAX_CHARS, offset: 0, max_blob_bytes: 0 }
    }
}

/// What a reader is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRequest {
    /// The concrete source.
    pub source_id: Arc<str>,
    /// The resource within it.
    pub uri: Arc<str>,
    /// How much of it.
    pub bounds: ReadBounds,
}
