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
    pub(super) fn nearest<'a>(&mut self, name: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
        let names = self.spend(names)?;
        Self::near(name, &names)
    }

    /// The name nearest to a wrong one, or else all names there are.
    pub(super) fn nearest_or_all<'a>(
        &mut self,
        what: &str,
        name: &str,
        names: impl Iterator<Item = &'a str>,
    ) -> Option<String> {
        let names = self.spend(names)?;
        Some(Self::near(name, &names).unwrap_or_else(|| Self::all(what, &names)))
    }

    /// The names to compare with, unless too many have been compared already.
    fn spend<'a>(&mut self, names: impl Iterator<Item = &'a str>) -> Option<Vec<&'a str>> {
        if self.compared > MOST_COMPARISONS {
            return None;
        }
        let names: Vec<&str> = names.collect();
        self.compared += names.len();
        Some(names)
    }

    fn near(name: &str, names: &[&str]) -> Option<String> {
        nearest(name, names.iter().copied()).map(|near| format!("did you mean {}?", repr(near)))
    }

    fn all(what: &str, names: &[&str]) -> String {
        if names.is_empty() {
            return format!("there are no {what}");
        }
        let shown: Vec<String> = names.iter().take(MOST_NAMES).map(|name| repr(name)).collect();
        let more = if names.len() > MOST_NAMES { ", …" } else { "" };
        format!("{what}: {}{more}", shown.join(", "))
    }
}
