//! A window of characters out of a stream of bytes, read no further than the window asks.

use std::io::{self, Read};
use std::str;

use super::Mark;

/// The largest piece that is read at once.
const LARGEST_PIECE: usize = 64 * 1024;

/// The smallest piece worth a call of the system.
const SMALLEST_PIECE: usize = 512;

/// How many bytes lie between two marks while characters are skipped.
const MARK_EVERY: u64 = 4 * 1024 * 1024;

/// What a window shows.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Window {
    /// Text.
    Text {
        /// At most as many characters as were asked for.
        text: String,
        /// Where the window ends.
        end: Mark,
        /// Whether anything comes behind it.
        more: bool,
    },
    /// The bytes that had to be looked at are no UTF-8.
    Binary,
}

/// Whether the beginning of a file says that it is no text: a NUL, or bytes that are no UTF-8.
///
/// `whole` tells that this is all of the file, so that it must not end within a character.
pub(super) fn looks_binary(head: &[u8], whole: bool) -> bool {
    if head.contains(&0) {
        return true;
    }
    match str::from_utf8(head) {
        Ok(_) => false,
        Err(error) => whole || error.error_len().is_some(),
    }
}

/// Reads from `start` on, skips to the character `offset`, and takes at most `max_chars` from there.
///
/// `passed` receives marks on the way, from which a later read may start.
pub(super) fn read_window(
    bytes: &mut impl Read,
    start: Mark,
    offset: u64,
    max_chars: usize,
    passed: &mut Vec<Mark>,
) -> io::Result<Window> {
    let mut here = start;
    let mut last_mark = start.bytes;
    let mut skip = offset.saturating_sub(start.chars);
    let mut wanted = max_chars;
    let mut text = String::new();
    let mut buffer = vec![0_u8; piece_size(skip, wanted)];
    let mut carried = 0;
    loop {
        let read = read_some(bytes, &mut buffer[carried..])?;
        if read == 0 {
            // Bytes that were carried over are the beginning of a character that never ends.
            return Ok(if carried > 0 { Window::Binary } else { Window::Text { text, end: here, more: false } });
        }
        let filled = carried + read;
        if wanted == 0 {
            return Ok(Window::Text { text, end: here, more: true });
        }
        let valid = match str::from_utf8(&buffer[..filled]) {
            Ok(valid) => valid,
            Err(error) if error.error_len().is_some() => return Ok(Window::Binary),
            Err(error) => {
                str::from_utf8(&buffer[..error.valid_up_to()]).map_err(|error| io::Error::other(error.to_string()))?
            }
        };
        let consumed = valid.len();
        let rest = skip_chars(valid, &mut skip, &mut here);
        let taken = take_chars(rest, &mut wanted, &mut here);
        text.push_str(taken);
        if taken.len() < rest.len() {
            return Ok(Window::Text { text, end: here, more: true });
        }
        if here.bytes - last_mark >= MARK_EVERY {
            passed.push(here);
            last_mark = here.bytes;
        }
        buffer.copy_within(consumed..filled, 0);
        carried = filled - consumed;
    }
}

/// A piece large enough for what is still wanted, so that a small window costs a small read.
fn piece_size(skip: u64, wanted: usize) -> usize {
    let chars = usize::try_from(skip).unwrap_or(usize::MAX).saturating_add(wanted);
    chars.saturating_mul(4).clamp(SMALLEST_PIECE, LARGEST_PIECE)
}

fn read_some(bytes: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match bytes.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// The text behind the characters that are to be skipped.
fn skip_chars<'a>(text: &'a str, skip: &mut u64, here: &mut Mark) -> &'a str {
    if *skip == 0 {
        return text;
    }
    let count = text.chars().count() as u64;
    if count <= *skip {
        *skip -= count;
        here.advance(count, text.len());
        return "";
    }
    let at =
        usize::try_from(*skip).ok().and_then(|skip| text.char_indices().nth(skip)).map_or(text.len(), |(at, _)| at);
    here.advance(*skip, at);
    *skip = 0;
    &text[at..]
}

/// The characters at the beginning of the text that are still wanted.
fn take_chars<'a>(text: &'a str, wanted: &mut usize, here: &mut Mark) -> &'a str {
    if let Some((end, _)) = text.char_indices().nth(*wanted) {
        here.advance(*wanted as u64, end);
        *wanted = 0;
        return &text[..end];
    }
    let count = text.chars().count();
    here.advance(count as u64, text.len());
    *wanted -= count;
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Hands out bytes in pieces of a fixed size and counts them.
    struct Dripping<'a> {
        bytes: &'a [u8],
        piece: usize,
        given: usize,
    }

    impl Read for Dripping<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let size = self.piece.min(buffer.len()).min(self.bytes.len());
            buffer[..size].copy_from_slice(&self.bytes[..size]);
            self.bytes = &self.bytes[size..];
            self.given += size;
            Ok(size)
        }
    }

    fn window(bytes: &[u8], piece: usize, offset: u64, max_chars: usize) -> Window {
        let mut reader = Dripping { bytes, piece, given: 0 };
        read_window(&mut reader, Mark::START, offset, max_chars, &mut Vec::new()).unwrap()
    }

    #[test]
    fn a_window_reads_no_more_than_it_shows() {
        let bytes = vec![b'a'; 1 << 20];
        let mut reader = Dripping { bytes: &bytes, piece: usize::MAX, given: 0 };
        read_window(&mut reader, Mark::START, 0, 5, &mut Vec::new()).unwrap();
        assert_eq!(reader.given, SMALLEST_PIECE);
    }

    #[test]
    fn bytes_that_are_no_utf8_make_a_blob_wherever_they_are_met() {
        assert_eq!(window(b"ab\xff", 2, 0, 9), Window::Binary);
        assert_eq!(window("abé".as_bytes().split_last().unwrap().1, 1, 0, 9), Window::Binary);
        assert!(looks_binary(b"a\0b", true) && looks_binary(b"\xff", false));
        let half = &"é".as_bytes()[..1];
        assert!(looks_binary(half, true) && !looks_binary(half, false));
    }

    proptest! {
        #[test]
        fn a_window_is_a_slice_of_the_characters(
            text in "[a-cé\u{20ac}\u{1f600}]{0,60}",
            piece in 1_usize..9,
            offset in 0_u64..70,
            max_chars in 1_usize..70,
        ) {
            let skip = usize::try_from(offset).unwrap();
            let expected: String = text.chars().skip(skip).take(max_chars).collect();
            let chars = text.chars().count();
            let end = (skip + max_chars).min(chars);
            let bytes: usize = text.chars().take(end).map(char::len_utf8).sum();
            prop_assert_eq!(
                window(text.as_bytes(), piece, offset, max_chars),
                Window::Text {
                    text: expected,
                    end: Mark { chars: end as u64, bytes: bytes as u64 },
                    more: skip + max_chars < chars,
                }
            );
        }
    }
}
