//! From a URI or a name to a path below the root, by its letters alone; opening beneath the root comes after.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use percent_encoding::percent_decode_str;

use crate::resource::{ReadRequest, ResourceError};

/// The path that a request names, relative to the root.
///
/// A `file` URI is absolute and percent-encoded; anything else is a name, taken as it is. `roots` are the
/// spellings of the root that an absolute path may start with.
pub(super) fn locate(request: &ReadRequest, roots: [&PathBuf; 2]) -> Result<PathBuf, ResourceError> {
    let uri = &*request.uri;
    let named = match file_uri(uri) {
        Some(path) => path.map_err(|problem| invalid(request, problem))?,
        None if has_scheme(uri) => {
            return Err(invalid(request, "a file source reads `file` URIs and names relative to its root"));
        }
        None => PathBuf::from(uri),
    };
    if named.as_os_str().as_encoded_bytes().contains(&0) {
        return Err(invalid(request, "it holds a NUL character"));
    }
    let outside = || ResourceError::OutsideRoot { source_id: request.source_id.clone(), uri: request.uri.clone() };
    let below = if named.has_root() || named.components().any(|part| matches!(part, Component::Prefix(_))) {
        let normal = normalized(&named).ok_or_else(outside)?;
        roots.iter().find_map(|root| normal.strip_prefix(root).ok().map(Path::to_path_buf)).ok_or_else(outside)?
    } else {
        // The links on the way decide what `..` means, so it stays in the path; by letters it must not leave.
        normalized(&named).ok_or_else(outside)?;
        named
    };
    if below.as_os_str().is_empty() {
        return Ok(PathBuf::from("."));
    }
    Ok(below)
}

/// The path of a `file` URI; `None` when it is none.
fn file_uri(uri: &str) -> Option<Result<PathBuf, &'static str>> {
    let (scheme, rest) = uri.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    Some(parse_file_uri(rest))
}

fn parse_file_uri(rest: &str) -> Result<PathBuf, &'static str> {
    if rest.contains(['?', '#']) {
        return Err("a `file` URI has no query and no fragment; write `%3F` or `%23` for these characters");
    }
    let path = match rest.strip_prefix("//") {
        Some(authority) => {
            let (host, path) = authority.split_at(authority.find('/').unwrap_or(authority.len()));
            if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
                return Err("a `file` URI names no other host; write `file:///path`");
            }
            path
        }
        None => rest,
    };
    if !path.starts_with('/') {
        return Err("a `file` URI holds an absolute path; write `file:///path`, or the name relative to the root");
    }
    if bad_escape(path) {
        return Err(
            "a `%` in a `file` URI is followed by two hexadecimal digits; write `%25` for the character itself",
        );
    }
    from_bytes(percent_decode_str(path).collect())
}

/// Whether a `%` stands without its two digits.
fn bad_escape(path: &str) -> bool {
    path.split('%').skip(1).any(|rest| {
        let digits = rest.as_bytes().get(..2);
        digits.is_none_or(|digits| !digits.iter().all(u8::is_ascii_hexdigit))
    })
}

/// A path of these bytes; on Unix a file name may be any.
#[cfg_attr(unix, expect(clippy::unnecessary_wraps, reason = "elsewhere a name must be Unicode"))]
fn from_bytes(bytes: Vec<u8>) -> Result<PathBuf, &'static str> {
    #[cfg(unix)]
    let path = <OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes);
    #[cfg(not(unix))]
    let path = OsString::from(String::from_utf8(bytes).map_err(|_| "it is no UTF-8 after percent-decoding")?);
    // `file:///C:/folder` holds a drive behind the slash.
    let drive =
        path.to_str().and_then(|path| path.strip_prefix('/')).filter(|rest| rest.as_bytes().get(1) == Some(&b':'));
    match drive {
        Some(drive) if cfg!(windows) => Ok(PathBuf::from(drive)),
        _ => Ok(PathBuf::from(path)),
    }
}

/// Whether the text is a URI of another scheme rather than a name.
fn has_scheme(uri: &str) -> bool {
    uri.split_once("://").is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character))
    })
}

/// The path without `.` and `..`, by letters; `None` when it climbs above where it starts.
fn normalized(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    let mut depth = 0_usize;
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                depth = depth.checked_sub(1)?;
                normal.pop();
            }
            Component::Normal(name) => {
                depth += 1;
                normal.push(name);
            }
            Component::RootDir | Component::Prefix(_) => normal.push(part),
        }
    }
    Some(normal)
}

fn invalid(request: &ReadRequest, problem: &str) -> ResourceError {
    ResourceError::UriInvalid {
        source_id: request.source_id.clone(),
        uri: request.uri.clone(),
        problem: problem.to_owned(),
    }
}
