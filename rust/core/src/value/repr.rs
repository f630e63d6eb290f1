//! Values as Python's `repr` shows them, which the phrases of messages rely on.

use std::fmt::Write as _;

use super::Value;

/// A text as Python's `repr` shows it: `'x'`, or `"it's"`.
pub fn repr_text(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 2);
    write_text(&mut shown, text, usize::MAX);
    shown
}

/// Like [`repr_text`], but what would be longer than `limit` is cut, for messages about values of any size.
pub(crate) fn short_repr_text(text: &str, limit: usize) -> String {
    let mut shown = String::new();
    write_text(&mut shown, text, limit);
    cut(shown, limit)
}

fn cut(mut shown: String, limit: usize) -> String {
    if shown.len() > limit {
        let end = (0..=limit).rev().find(|end| shown.is_char_boundary(*end)).unwrap_or(0);
        shown.truncate(end);
        shown.push_str("...");
    }
    shown
}

/// Stops once more than `limit` bytes are shown.
fn write_text(shown: &mut String, text: &str, limit: usize) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    shown.push(quote);
    for character in text.chars() {
        if shown.len() > limit {
            return;
        }
        match character {
            '\\' => shown.push_str("\\\\"),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            _ if character == quote => {
                shown.push('\\');
                shown.push(character);
            }
            ' '..='~' => shown.push(character),
            _ if is_printable(character) => shown.push(character),
            _ => {
                let code = u32::from(character);
                let written = match code {
                    0..=0xff => write!(shown, "\\x{code:02x}"),
                    0x100..=0xffff => write!(shown, "\\u{code:04x}"),
                    _ => write!(shown, "\\U{code:08x}"),
                };
                written.expect("writing to a string does not fail");
            }
        }
    }
    shown.push(quote);
}

/// Whether a character beyond ASCII is shown as it is.
fn is_printable(character: char) -> bool {
    // `Debug` escapes what cannot be seen; after a letter it leaves combining marks alone, as Python does.
    !character.is_control()
        && !character.is_whitespace()
        && !format!("a{character}").escape_debug().any(|shown| shown == '\\')
}

impl Value {
    /// The value as Python's `repr` shows it: `{'a': [1, None, True]}`.
    pub fn repr(&self) -> String {
        self.write_repr(usize::MAX)
    }

    /// Like [`Value::repr`], but what would be longer than `limit` is cut, for messages about values of any size.
    pub(crate) fn short_repr(&self, limit: usize) -> String {
        cut(self.write_repr(limit), limit)
    }

    fn write_repr(&self, limit: usize) -> String {
        let mut shown = String::new();
        // What is still to be written, the next thing last.
        let mut pending = vec![Token::Value(self)];
        while let Some(token) = pending.pop() {
            if shown.len() > limit {
                break;
            }
            match token {
                Token::Mark(mark) => shown.push_str(mark),
                Token::Key(key) => write_text(&mut shown, key, limit),
                Token::Value(value) => write_value(&mut shown, value, &mut pending, limit),
            }
        }
        shown
    }
}

enum Token<'a> {
    Mark(&'static str),
    Key(&'a str),
    Value(&'a Value),
}

fn write_value<'a>(shown: &mut String, value: &'a Value, pending: &mut Vec<Token<'a>>, limit: usize) {
    match value {
        Value::Null => shown.push_str("None"),
        Value::Bool(true) => shown.push_str("True"),
        Value::Bool(false) => shown.push_str("False"),
        Value::Int(_) | Value::BigInt(_) | Value::Float(_) => shown.push_str(&value.to_json()),
        Value::String(text) => write_text(shown, text, limit),
        Value::List(items) => {
            shown.push('[');
            pending.push(Token::Mark("]"));
            for (index, item) in items.iter().enumerate().rev() {
                pending.push(Token::Value(item));
                if index > 0 {
                    pending.push(Token::Mark(", "));
                }
            }
        }
        Value::Object(object) => {
            shown.push('{');
            pending.push(Token::Mark("}"));
            for (index, (key, value)) in object.iter().enumerate().rev() {
                pending.extend([Token::Value(value), Token::Mark(": "), Token::Key(key)]);
                if index > 0 {
                    pending.push(Token::Mark(", "));
                }
            }
        }
    }
}
