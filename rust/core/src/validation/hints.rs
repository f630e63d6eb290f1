//! What was probably meant.

use super::repr;
use crate::document::nearest;

/// How many names one validation compares in all; a document full of mistakes must not take for ever.
const MOST_COMPARISONS: usize = 200_000;

/// How many names a hint lists.
const MOST_NAMES: usize = 8;

/// Hints, while the budget lasts.
#[derive(Default)]
pub(super) struct Hints {
    compared: usize,
}

impl Hints {
    /// The name nearest to a wrong one.
    pub(super) fn nearest<'a>(
        &mut self,
        name: &str,
        candidates: impl ExactSizeIterator<Item = &'a str>,
    ) -> Option<String> {
        self.compared += candidates.len();
        if self.compared > MOST_COMPARISONS {
            return None;
        }
        nearest(name, candidates).map(|near| format!("did you mean {}?", repr(near)))
    }

    /// The name nearest to a wrong one, or else all names there are.
    pub(super) fn nearest_or_all<'a>(&mut self, what: &str, name: &str, names: &[&'a str]) -> Option<String> {
        self.nearest(name, names.iter().copied()).or_else(|| Self::all(what, names))
    }

    /// All names there are, if they are few.
    pub(super) fn all(what: &str, names: &[&str]) -> Option<String> {
        if names.is_empty() {
            return Some(format!("there are no {what}"));
        }
        let shown: Vec<String> = names.iter().take(MOST_NAMES).map(|name| repr(name)).collect();
        let more = if names.len() > MOST_NAMES { ", …" } else { "" };
        Some(format!("{what}: {}{more}", shown.join(", ")))
    }
}
