//! Values as Python's `repr` writes them, where a message of the platform promises that form.

use std::fmt::Write as _;

use wf_core::value::Value;

/// The value in Python's notation: `{'a': [1, True, None]}`.
pub(crate) fn python_repr(value: &Value) -> String {
    let mut text = String::new();
    write_value(&mut text, value);
    text
}

/// A text in Python's notation: `'drive'`.
pub(crate) fn text_repr(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_text(&mut out, text);
    out
}

fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Int(number) => push(out, format_args!("{number}")),
        Value::BigInt(number) => push(out, format_args!("{number}")),
        Value::Float(number) => write_float(out, *number),
        Value::String(text) => write_text(out, text),
        Value::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_value(out, item);
            }
            out.push(']');
        }
        Value::Object(object) => {
            out.push('{');
            for (index, (key, item)) in object.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_text(out, key);
                out.push_str(": ");
                write_value(out, item);
            }
            out.push('}');
        }
    }
}

fn push(out: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a `String` cannot fail.
    let _ = out.write_fmt(arguments);
}

/// Python writes the shortest digits that read back, and an exponent below 1e-4 and from 1e16 on.
fn write_float(out: &mut String, number: f64) {
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let power: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&power) {
        let plain = format!("{number}");
        out.push_str(&plain);
        if !plain.contains('.') {
            out.push_str(".0");
        }
    } else {
        let sign = if power < 0 { '-' } else { '+' };
        push(out, format_args!("{digits}e{sign}{:02}", power.unsigned_abs()));
    }
}

fn write_text(out: &mut String, text: &str) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character == quote => {
                out.push('\\');
                out.push(character);
            }
            _ if is_hidden(character) => match u32::from(character) {
                code @ 0..=0xff => push(out, format_args!("\\x{code:02x}")),
                code @ 0x100..=0xffff => push(out, format_args!("\\u{code:04x}")),
                code => push(out, format_args!("\\U{code:08x}")),
            },
            _ => out.push(character),
        }
    }
    out.push(quote);
}

/// Characters that would not be seen: controls, spaces other than U+0020, format marks and private use.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || (character.is_whitespace() && character != ' ')
        || matches!(u32::from(character),
            0xad | 0x600..=0x605 | 0x61c | 0x6dd | 0x70f | 0x180e | 0x200b..=0x200f | 0x202a..=0x202e
            | 0x2060..=0x206f | 0xe000..=0xf8ff | 0xfeff | 0xfff0..=0xfffb | 0xffff | 0xe0000..=0xe007f
            | 0xf_0000..=0x10_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_and_texts_are_written_as_python_writes_them() {
        for (number, expected) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (0.0001, "0.0001"),
            (0.000_01, "1e-05"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.5e300, "1.5e+300"),
            (123_456.789, "123456.789"),
        ] {
            assert_eq!(python_repr(&Value::Float(number)), expected);
        }
        assert_eq!(text_repr("it's"), "\"it's\"");
        assert_eq!(text_repr("it's \"so\""), "'it\\'s \"so\"'");
        assert_eq!(text_repr("a\nb\u{7f}\u{200b}é"), "'a\\nb\\x7f\\u200bé'");
    }
}
