//! The name somebody probably meant.

/// Longer names are not compared; nobody mistypes them by a letter and reads a hint for it.
const LONGEST: usize = 64;

/// The candidate nearest to `name`, if one is near enough to be what was meant.
///
/// A third of the letters may differ; swapped neighbours count as one difference, upper and lower case as none.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = name.chars().collect();
    if letters.is_empty() || letters.len() > LONGEST {
        return None;
    }
    let limit = letters.len() / 3;
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= 4 * LONGEST)
        .filter_map(|candidate| {
            let other: Vec<char> = candidate.chars().collect();
            // The difference of the lengths is a lower bound, and much cheaper.
            if other.len().abs_diff(letters.len()) > limit {
                return None;
            }
            let distance = distance(&letters, &other);
            (distance <= limit).then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The number of insertions, deletions, replacements and swaps of neighbours between two words.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before_last = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(last.len());
        row.push(i + 1);
        for (j, other) in b.iter().enumerate() {
            let same = usize::from(!letter.to_lowercase().eq(other.to_lowercase()));
            let mut best = (last[j] + same).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *other && *letter == b[j - 1] {
                let swapped: &Vec<usize> = &before_last;
                best = best.min(swapped[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
