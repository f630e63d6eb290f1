//! Whether places lie within each other.

use std::sync::Arc;

/// Whether two chains of segments are equal or one begins with the other.
pub fn parts_overlap(a: &[Arc<str>], b: &[Arc<str>]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}

/// The positions of two paths that overlap, in ascending order, or `None` when all are apart.
///
/// Sorted paths with a common beginning stand together, so looking at neighbours is enough.
pub fn first_overlap<'a>(paths: impl IntoIterator<Item = &'a [Arc<str>]>) -> Option<(usize, usize)> {
    let mut sorted: Vec<_> = paths.into_iter().enumerate().map(|(index, parts)| (parts, index)).collect();
    sorted.sort_unstable();
    sorted
        .windows(2)
        .filter(|pair| parts_overlap(pair[0].0, pair[1].0))
        .map(|pair| (pair[0].1.min(pair[1].1), pair[0].1.max(pair[1].1)))
        .min_by_key(|(first, second)| (*second, *first))
}
