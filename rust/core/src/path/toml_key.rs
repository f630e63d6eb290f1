//! TOML dotted keys: the text form of paths.
//!
//! A key parser and nothing more, so that no text can close a table around it or start a second entry.

use std::fmt;
use std::sync::Arc;

use super::error::{PathError, PathKind, check_segment};

/// Reads a TOML dotted key as its segments; there is at least one.
pub fn parse_segments(text: &str) -> Result<Vec<Arc<str>>, PathError> {
    let syntax = || PathError::Syntax(text.to_owned());
    let mut rest = text;
    let mut segments = Vec::new();
    loop {
        rest = rest.trim_start_matches(BLANKS);
        let (segment, after) = segment(rest).ok_or_else(syntax)?;
        segments.push(Arc::from(segment));
        rest = after.trim_start_matches(BLANKS);
        if rest.is_empty() {
            break;
        }
        rest = rest.strip_prefix('.').ok_or_else(syntax)?;
    }
    for segment in &segments {
        check_segment(segment, PathKind::Toml)?;
    }
    Ok(segments)
}

/// Writes segments as a TOML dotted key, bare where that is possible.
pub fn format_segments<S: AsRef<str>>(segments: &[S]) -> Result<String, PathError> {
    if segments.is_empty() {
        return Err(PathError::NothingToFormat);
    }
    for segment in segments {
        check_segment(segment.as_ref(), PathKind::Toml)?;
    }
    Ok(Formatted(segments).to_string())
}

struct Formatted<'a, S>(&'a [S]);

impl<S: AsRef<str>> fmt::Display for Formatted<'_, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_segments(formatter, None, self.0)
    }
}

/// Writes an optional bare root and the segments below it.
pub(super) fn write_segments<S: AsRef<str>>(
    formatter: &mut fmt::Formatter<'_>,
    root: Option<&str>,
    segments: &[S],
) -> fmt::Result {
    if let Some(root) = root {
        formatter.write_str(root)?;
    }
    for (index, segment) in segments.iter().enumerate() {
        if index > 0 || root.is_some() {
            formatter.write_str(".")?;
        }
        write_segment(formatter, segment.as_ref())?;
    }
    Ok(())
}

fn write_segment(formatter: &mut fmt::Formatter<'_>, segment: &str) -> fmt::Result {
    if is_bare(segment) {
        return formatter.write_str(segment);
    }
    // Segments have no control characters, so quotes and backslashes are all there is to escape.
    formatter.write_str("\"")?;
    for character in segment.chars() {
        if matches!(character, '"' | '\\') {
            formatter.write_str("\\")?;
        }
        write!(formatter, "{character}")?;
    }
    formatter.write_str("\"")
}

const BLANKS: [char; 2] = [' ', '\t'];

/// Whether a segment needs no quotes.
pub(crate) fn is_bare(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(is_bare_byte)
}

fn is_bare_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Reads one segment at the start of `text`; also gives what follows it.
fn segment(text: &str) -> Option<(String, &str)> {
    match text.as_bytes().first()? {
        b'"' => basic(&text[1..]),
        b'\'' => literal(&text[1..]),
        _ => {
            let end = text.bytes().position(|byte| !is_bare_byte(byte)).unwrap_or(text.len());
            (end > 0).then(|| (text[..end].to_owned(), &text[end..]))
        }
    }
}

/// What may stand between quotes as it is: everything but control characters; the tab is let through here and
/// refused as a segment's character later.
fn is_quotable(character: char) -> bool {
    character == '\t' || !character.is_ascii_control()
}

fn literal(text: &str) -> Option<(String, &str)> {
    let (inside, after) = text.split_once('\'')?;
    inside.chars().all(is_quotable).then(|| (inside.to_owned(), after))
}

fn basic(text: &str) -> Option<(String, &str)> {
    let mut inside = String::new();
    let mut characters = text.chars();
    loop {
        match characters.next()? {
            '"' => return Some((inside, characters.as_str())),
            '\\' => inside.push(escape(&mut characters)?),
            character if is_quotable(character) => inside.push(character),
            _ => return None,
        }
    }
}

fn escape(characters: &mut std::str::Chars<'_>) -> Option<char> {
    let digits = match characters.next()? {
        'b' => return Some('\u{8}'),
        't' => return Some('\t'),
        'n' => return Some('\n'),
        'f' => return Some('\u{c}'),
        'r' => return Some('\r'),
        character @ ('"' | '\\') => return Some(character),
        'u' => 4,
        'U' => 8,
        _ => return None,
    };
    let mut code = 0_u32;
    for _ in 0..digits {
        code = code.checked_mul(16)?.checked_add(characters.next()?.to_digit(16)?)?;
    }
    char::from_u32(code)
}
