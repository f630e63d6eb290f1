//! Patterns over capability names: `*` for any run of characters, `?` for one.

use std::sync::Arc;

/// Patterns, any of which may match; none matches nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Globs(Arc<[Arc<str>]>);

impl Globs {
    /// No pattern: matches nothing.
    pub fn none() -> Self {
        Self::default()
    }

    /// One pattern that matches every name.
    pub fn every() -> Self {
        Self::from_iter(["*"])
    }

    /// The patterns as written.
    pub fn patterns(&self) -> &[Arc<str>] {
        &self.0
    }

    /// Whether there is no pattern.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether any pattern matches the whole name.
    pub fn matches(&self, name: &str) -> bool {
        self.0.iter().any(|pattern| matches(pattern, name))
    }
}

impl<T: AsRef<str>> FromIterator<T> for Globs {
    fn from_iter<I: IntoIterator<Item = T>>(patterns: I) -> Self {
        Self(patterns.into_iter().map(|pattern| Arc::from(pattern.as_ref())).collect())
    }
}

/// Matches in time proportional to pattern times name, whatever the pattern: on a mismatch only the last star moves.
fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut seen) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while seen < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at + 1, seen));
                at += 1;
            }
            Some(&letter) if letter == '?' || letter == name[seen] => {
                at += 1;
                seen += 1;
            }
            _ => {
                let Some((after_star, covered)) = star else { return false };
                star = Some((after_star, covered + 1));
                at = after_star;
                seen = covered + 1;
            }
        }
    }
    pattern[at..].iter().all(|&letter| letter == '*')
}

#[cfg(test)]
mod tests {
    use super::Globs;

    #[test]
    fn stars_and_question_marks_match_whole_names() {
        let globs = Globs::from_iter(["read_*", "list.?", "*.get.*"]);
        for name in ["read_", "read_file", "list.a", "a.b.get.c"] {
            assert!(globs.matches(name), "{name}");
        }
        for name in ["", "unread_file", "list.", "list.ab", "get.c"] {
            assert!(!globs.matches(name), "{name}");
        }
        assert!(!Globs::none().matches("x"));
        assert!(Globs::every().matches(""));
    }

    #[test]
    fn a_hostile_pattern_stays_cheap() {
        let globs = Globs::from_iter(["*a".repeat(200) + "b"]);
        assert!(!globs.matches(&"a".repeat(20_000)));
    }
}
