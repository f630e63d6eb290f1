//! Quotes as the fixed phrases of the compatibility surface want them.

use std::fmt::{self, Write as _};

/// Shows a text the way Python's `repr` shows a string: the phrases that existing callers match contain it.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quote = if self.0.contains('\'') && !self.0.contains('"') { '"' } else { '\'' };
        formatter.write_char(quote)?;
        for letter in self.0.chars() {
            match letter {
                '\\' => formatter.write_str("\\\\")?,
                '\n' => formatter.write_str("\\n")?,
                '\r' => formatter.write_str("\\r")?,
                '\t' => formatter.write_str("\\t")?,
                _ if letter == quote => write!(formatter, "\\{letter}")?,
                _ if letter.is_control() && u32::from(letter) < 0x100 => {
                    write!(formatter, "\\x{:02x}", u32::from(letter))?;
                }
                _ => formatter.write_char(letter)?,
            }
        }
        formatter.write_char(quote)
    }
}

/// Shows a list of texts the way Python's `repr` shows a list of strings.
pub(crate) struct QuotedList<'a, T>(pub(crate) &'a [T]);

impl<T: AsRef<str>> fmt::Display for QuotedList<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_char('[')?;
        for (position, text) in self.0.iter().enumerate() {
            if position > 0 {
                formatter.write_str(", ")?;
            }
            Quoted(text.as_ref()).fmt(formatter)?;
        }
        formatter.write_char(']')
    }
}
