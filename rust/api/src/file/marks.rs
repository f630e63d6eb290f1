//! Where characters lie in files that were read before, so that the next page starts where the last one ended.
//!
//! UTF-8 has no way to jump to the n-th character. Reading a long text page by page would cost more and more
//! without these marks; with them each page costs its own length. They hold as long as the file does not change.

use std::collections::{BTreeMap, VecDeque};
use std::time::SystemTime;

/// How many files are remembered.
const MOST_FILES: usize = 64;

/// How many marks are remembered in one file.
const MOST_MARKS: usize = 1_024;

/// A place in a file: behind so many characters, which are so many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) chars: u64,
    pub(super) bytes: u64,
}

impl Mark {
    /// The beginning.
    pub(super) const START: Self = Self { chars: 0, bytes: 0 };

    /// Moves on over text of this many characters and bytes.
    pub(super) fn advance(&mut self, chars: u64, bytes: usize) {
        self.chars += chars;
        self.bytes += bytes as u64;
    }
}

/// What tells that a file is still the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileIdentity {
    pub(super) device: u64,
    pub(super) inode: u64,
    pub(super) len: u64,
    pub(super) modified: Option<SystemTime>,
}

/// The marks of the files that were read last.
#[derive(Debug, Default)]
pub(super) struct Marks {
    files: VecDeque<(FileIdentity, BTreeMap<u64, u64>)>,
}

impl Marks {
    /// The last known place at or before a character.
    pub(super) fn nearest(&self, file: &FileIdentity, chars: u64) -> Mark {
        let known = self.files.iter().find(|(known, _)| known == file);
        known
            .and_then(|(_, marks)| marks.range(..=chars).next_back())
            .map_or(Mark::START, |(chars, bytes)| Mark { chars: *chars, bytes: *bytes })
    }

    /// Remembers places in a file; forgets what was known of an earlier content of it.
    pub(super) fn remember(&mut self, file: FileIdentity, passed: &[Mark]) {
        let mut marks = BTreeMap::new();
        if let Some(index) =
            self.files.iter().position(|(known, _)| (known.device, known.inode) == (file.device, file.inode))
            && let Some((known, old)) = self.files.remove(index)
            && known == file
        {
            marks = old;
        }
        marks.extend(passed.iter().filter(|mark| mark.bytes > 0).map(|mark| (mark.chars, mark.bytes)));
        while marks.len() > MOST_MARKS {
            // Every other one: what stays is still spread over the whole file.
            let mut keep = false;
            marks.retain(|_, _| {
                keep = !keep;
                keep
            });
        }
        self.files.push_front((file, marks));
        self.files.truncate(MOST_FILES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(inode: u64, len: u64) -> FileIdentity {
        FileIdentity { device: 1, inode, len, modified: None }
    }

    #[test]
    fn a_mark_holds_until_the_file_changes_and_memory_stays_bounded() {
        let mut marks = Marks::default();
        marks.remember(file(1, 10), &[Mark { chars: 4, bytes: 6 }]);
        assert_eq!(marks.nearest(&file(1, 10), 9), Mark { chars: 4, bytes: 6 });
        assert_eq!(marks.nearest(&file(1, 10), 3), Mark::START);
        assert_eq!(marks.nearest(&file(1, 11), 9), Mark::START);
        marks.remember(file(1, 11), &[]);
        assert_eq!(marks.nearest(&file(1, 10), 9), Mark::START);
        for index in 0..5_000 {
            marks.remember(file(2, 1), &[Mark { chars: index, bytes: index + 1 }]);
            marks.remember(file(index, 1), &[]);
        }
        assert!(marks.files.len() <= MOST_FILES);
        assert!(marks.files.iter().all(|(_, marks)| marks.len() <= MOST_MARKS));
    }
}
