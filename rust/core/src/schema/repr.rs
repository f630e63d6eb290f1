//! Values as Python would print them.
//!
//! The messages of schema checks are part of the compatibility surface, and they quote values with Python's
//! `repr`. Very long values are cut, so that a message never grows with the payload it complains about.

use std::fmt::{self, Write};

use crate::value::{Object, Value};

/// The longest rendering of one value within a message; what is longer is cut.
const LIMIT: usize = 2_000;

/// A value that displays as Python's `repr` of it, cut to a bounded length.
#[derive(Clone, Copy, Debug)]
pub struct Repr<'a>(pub &'a Value);

/// A text that displays as Python's `repr` of a string.
#[derive(Clone, Copy, Debug)]
pub struct ReprStr<'a>(pub &'a str);

impl fmt::Display for Repr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Bounded { out: f, left: LIMIT };
        match write_value(&mut out, self.0) {
            // The only failure `Bounded` invents itself is running out of room.
            Err(fmt::Error) if out.left == 0 => f.write_str("..."),
            other => other,
        }
    }
}

impl fmt::Display for ReprStr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Bounded { out: f, left: LIMIT };
        match write_string(&mut out, self.0) {
            Err(fmt::Error) if out.left == 0 => f.write_str("..."),
            other => other,
        }
    }
}

/// A writer that stops with an error once its room is used up.
struct Bounded<'a, 'f> {
    out: &'a mut fmt::Formatter<'f>,
    left: usize,
}

impl Write for Bounded<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if text.len() <= self.left {
            self.left -= text.len();
            return self.out.write_str(text);
        }
        let mut end = self.left;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.left = 0;
        self.out.write_str(&text[..end])?;
        Err(fmt::Error)
    }
}

fn write_value(out: &mut impl Write, value: &Value) -> fmt::Result {
    match value {
        Value::Null => out.write_str("None"),
        Value::Bool(true) => out.write_str("True"),
        Value::Bool(false) => out.write_str("False"),
        Value::Int(number) => write!(out, "{number}"),
        Value::BigInt(number) => write!(out, "{number}"),
        Value::Float(number) => write_float(out, *number),
        Value::String(text) => write_string(out, text),
        Value::List(items) => {
            out.write_char('[')?;
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    out.write_str(", ")?;
                }
                write_value(out, item)?;
            }
            out.write_char(']')
        }
        Value::Object(object) => write_object(out, object),
    }
}

fn write_object(out: &mut impl Write, object: &Object) -> fmt::Result {
    out.write_char('{')?;
    for (position, (key, value)) in object.iter().enumerate() {
        if position > 0 {
            out.write_str(", ")?;
        }
        write_string(out, key)?;
        out.write_str(": ")?;
        write_value(out, value)?;
    }
    out.write_char('}')
}

/// Python switches to an exponent below 1e-4 and from 1e16 on, and writes it with a sign and two digits.
fn write_float(out: &mut impl Write, number: f64) -> fmt::Result {
    let scientific = format!("{number:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return out.write_str(&scientific);
    };
    let exponent: i32 = exponent.parse().map_err(|_| fmt::Error)?;
    if (-4..16).contains(&exponent) {
        return if number.fract() == 0.0 { write!(out, "{number:.1}") } else { write!(out, "{number}") };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    write!(out, "{mantissa}e{sign}{:02}", exponent.unsigned_abs())
}

fn write_string(out: &mut impl Write, text: &str) -> fmt::Result {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.write_char(quote)?;
    let mut plain_from = 0;
    for (position, character) in text.char_indices() {
        let escape = character == quote || character == '\\' || !is_printable(character);
        if !escape {
            continue;
        }
        out.write_str(&text[plain_from..position])?;
        plain_from = position + character.len_utf8();
        let code = u32::from(character);
        match character {
            '\n' => out.write_str("\\n")?,
            '\r' => out.write_str("\\r")?,
            '\t' => out.write_str("\\t")?,
            _ if character == quote || character == '\\' => write!(out, "\\{character}")?,
            _ if code < 0x100 => write!(out, "\\x{code:02x}")?,
            _ if code < 0x1_0000 => write!(out, "\\u{code:04x}")?,
            _ => write!(out, "\\U{code:08x}")?,
        }
    }
    out.write_str(&text[plain_from..])?;
    out.write_char(quote)
}

/// Whether Python prints the character as it is: everything but controls, format characters, separators other
/// than the blank, and what no Unicode version has assigned in the ranges that matter here.
fn is_printable(character: char) -> bool {
    match u32::from(character) {
        0x20..=0x7e => true,
        0x00..=0xa0
        | 0xad
        | 0x600..=0x605
        | 0x61c
        | 0x6dd
        | 0x70f
        | 0x1680
        | 0x180e
        | 0x2000..=0x200f
        | 0x2028..=0x202f
        | 0x205f..=0x206f
        | 0x3000
        | 0xd800..=0xf8ff
        | 0xfeff
        | 0xfff0..=0xfffb
        | 0xfffe
        | 0xffff => false,
        code => code < 0xe_0000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_like_python() {
        let cases = [
            (Value::Null, "None"),
            (Value::Bool(true), "True"),
            (Value::from("it's"), "\"it's\""),
            (Value::from("both ' and \""), "'both \\' and \"'"),
            (Value::from("a\nb\u{7}\u{200b}é"), "'a\\nb\\x07\\u200bé'"),
            (Value::Float(1.0), "1.0"),
            (Value::Float(0.1), "0.1"),
            (Value::Float(1e16), "1e+16"),
            (Value::Float(1.5e-5), "1.5e-05"),
            (Value::Float(-0.0), "-0.0"),
            (Value::Float(123_456_789.0), "123456789.0"),
            (Value::Float(1e300), "1e+300"),
            (Value::from(vec![1_i64, 2]), "[1, 2]"),
            (Value::Object([("a", Value::Null)].into_iter().collect()), "{'a': None}"),
        ];
        for (value, expected) in cases {
            assert_eq!(Repr(&value).to_string(), expected);
        }
    }

    #[test]
    fn cuts_what_is_longer_than_a_message_should_be() {
        let long = Value::from("é".repeat(10_000));
        let text = Repr(&long).to_string();
        assert!(text.len() <= LIMIT + 3 && text.ends_with("..."), "{} bytes", text.len());
    }
}
