//! The known names closest to one that is not known, for hints.

use std::sync::Arc;

/// How many names a hint offers.
const OFFERED: usize = 3;

/// The closest of `known` to `wanted`, best first; only names close enough to be a slip of the keyboard or a
/// forgotten prefix.
pub(crate) fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<Arc<str>> {
    let wanted = wanted.to_lowercase();
    let letters: Vec<char> = wanted.chars().collect();
    // Long prefixes are usually right, so how much may differ goes by the last segment.
    let allowed = (wanted.rsplit('.').next().map_or(0, |last| last.chars().count()) / 3).clamp(1, 3);
    let mut close: Vec<(usize, &str)> = known
        .into_iter()
        .filter_map(|name| {
            let lower = name.to_lowercase();
            let forgotten_prefix = lower.len() > wanted.len()
                && !wanted.is_empty()
                && lower.strip_suffix(wanted.as_str()).is_some_and(|before| before.ends_with('.'));
            let distance = if forgotten_prefix { 1 } else { distance_within(&letters, &lower, allowed)? };
            Some((distance, name))
        })
        .collect();
    close.sort_unstable();
    close.dedup();
    close.into_iter().take(OFFERED).map(|(_, name)| Arc::from(name)).collect()
}

/// The number of insertions, deletions, replacements and swaps of neighbours between two texts, when it is at
/// most `allowed`.
fn distance_within(wanted: &[char], name: &str, allowed: usize) -> Option<usize> {
    let name: Vec<char> = name.chars().collect();
    if name.len().abs_diff(wanted.len()) > allowed {
        return None;
    }
    let width = name.len() + 1;
    let mut before_last = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    for (row, &letter) in wanted.iter().enumerate() {
        let mut current = Vec::with_capacity(width);
        current.push(row + 1);
        for (column, &other) in name.iter().enumerate() {
            let replaced = last[column] + usize::from(letter != other);
            let mut best = replaced.min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && letter == name[column - 1] && wanted[row - 1] == other {
                best = best.min(before_last[column - 1] + 1);
            }
            current.push(best);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last.last().copied().filter(|&distance| distance <= allowed)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn offers_slips_and_forgotten_prefixes_but_nothing_far() {
        let known = ["wf.std.constant", "wf.std.coalesce", "drive.personal"];
        assert_eq!(nearest("wf.std.constnat", known), ["wf.std.constant".into()]);
        assert_eq!(nearest("coalesce", known), ["wf.std.coalesce".into()]);
        assert!(nearest("something.else", known).is_empty());
        assert!(nearest("", known).is_empty());
    }
}
