//! What lies below a root, for inventories.

use std::io;
use std::path::Path;
use std::sync::Arc;

use cap_std::fs::Dir;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::media_type;

/// Characters that stand for themselves in the path of a URI.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b':')
    .remove(b'@')
    .remove(b'+')
    .remove(b',')
    .remove(b'=');

/// The folders that are walked at most into each other.
const DEEPEST: usize = 64;

/// One file below a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// Its name relative to the root, with `/` between the parts.
    pub name: Arc<str>,
    /// Its `file` URI.
    pub uri: Arc<str>,
    /// Its MIME type, by its extension.
    pub mime_type: &'static str,
    /// Its size in bytes.
    pub size: u64,
}

/// The files below a root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The files, in order of their names within each folder.
    pub files: Vec<FileEntry>,
    /// Whether there are more.
    pub truncated: bool,
}

pub(super) fn list(dir: &Dir, root: &Path, limit: usize) -> io::Result<Listing> {
    let mut listing = Listing::default();
    let entries = dir.entries()?;
    walk(entries, root, "", DEEPEST, limit, &mut listing);
    Ok(listing)
}

fn walk(entries: cap_std::fs::ReadDir, root: &Path, prefix: &str, depth: usize, limit: usize, listing: &mut Listing) {
    // A name that is no Unicode cannot be written in a ref, and an entry that vanished is not there any more.
    let mut found: Vec<_> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry)))
        .filter(|(name, _)| !name.starts_with('.'))
        .collect();
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (name, entry) in found {
        let Ok(metadata) = entry.metadata() else { continue };
        let relative = format!("{prefix}{name}");
        if metadata.is_file() {
            if listing.files.len() == limit {
                listing.truncated = true;
                return;
            }
            listing.files.push(FileEntry {
                uri: file_uri(root, &relative),
                mime_type: media_type::of(Path::new(&name), false),
                name: relative.into(),
                size: metadata.len(),
            });
        } else if metadata.is_dir()
            && depth > 0
            && let Ok(below) = entry.open_dir().and_then(|below| below.entries())
        {
            walk(below, root, &format!("{relative}/"), depth - 1, limit, listing);
            if listing.truncated {
                return;
            }
        }
    }
}

fn file_uri(root: &Path, relative: &str) -> Arc<str> {
    let root = root.to_string_lossy().replace('\\', "/");
    let path = format!("/{}/{relative}", root.trim_matches('/'));
    format!("file://{}", utf8_percent_encode(&path, PLAIN)).into()
}
