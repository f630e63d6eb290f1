//! The JSON writer.

use std::fmt::Write as _;

use super::super::{Key, Value};

/// How the text should look.
#[derive(Clone, Copy)]
pub(super) struct Style {
    sorted: bool,
    ascii: bool,
}

impl Style {
    /// Keys in their own order, characters as they are.
    pub(super) const PLAIN: Self = Self { sorted: false, ascii: false };
    /// Sorted keys, ASCII only.
    pub(super) const CANONICAL: Self = Self { sorted: true, ascii: true };
}

/// A container whose end has not been written yet.
enum Open<'a> {
    List(std::slice::Iter<'a, Value>),
    Object(super::super::Iter<'a>),
    Sorted(std::vec::IntoIter<(&'a Key, &'a Value)>),
}

pub(super) fn write(value: &Value, style: Style) -> String {
    let mut writer = Writer { text: String::new(), style };
    let mut open: Vec<Open<'_>> = Vec::new();
    if let Some(container) = writer.begin(value) {
        open.push(container);
    }
    let mut first = true;
    while let Some(container) = open.last_mut() {
        let next = match container {
            Open::List(items) => items.next().map(|value| (None, value)),
            Open::Object(entries) => entries.next().map(|(key, value)| (Some(key), value)),
            Open::Sorted(entries) => entries.next().map(|(key, value)| (Some(key), value)),
        };
        let Some((key, value)) = next else {
            writer.text.push(if matches!(container, Open::List(_)) { ']' } else { '}' });
            open.pop();
            first = false;
            continue;
        };
        if !first {
            writer.text.push(',');
        }
        if let Some(key) = key {
            writer.string(key);
            writer.text.push(':');
        }
        first = false;
        if let Some(container) = writer.begin(value) {
            open.push(container);
            first = true;
        }
    }
    writer.text
}

struct Writer {
    text: String,
    style: Style,
}

impl Writer {
    /// Writes a scalar whole, or the bracket that opens a container.
    fn begin<'a>(&mut self, value: &'a Value) -> Option<Open<'a>> {
        match value {
            Value::Null => self.text.push_str("null"),
            Value::Bool(true) => self.text.push_str("true"),
            Value::Bool(false) => self.text.push_str("false"),
            Value::Int(number) => self.display(number),
            Value::BigInt(number) => self.display(number.as_ref()),
            Value::Float(number) => self.float(*number),
            Value::String(text) => self.string(text),
            Value::List(items) => {
                self.text.push('[');
                return Some(Open::List(items.iter()));
            }
            Value::Object(object) => {
                self.text.push('{');
                if !self.style.sorted {
                    return Some(Open::Object(object.iter()));
                }
                let mut entries: Vec<_> = object.iter().collect();
                entries.sort_unstable_by_key(|(key, _)| *key);
                return Some(Open::Sorted(entries.into_iter()));
            }
        }
        None
    }

    fn display(&mut self, shown: impl std::fmt::Display) {
        write!(self.text, "{shown}").expect("writing to a string does not fail");
    }

    /// The shortest digits that read back as the same float, laid out as Python lays them out.
    fn float(&mut self, number: f64) {
        let scientific = format!("{number:e}");
        let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        let exponent: i32 = exponent.parse().unwrap_or_default();
        if (-4..16).contains(&exponent) {
            let plain = number.to_string();
            self.text.push_str(&plain);
            if !plain.contains('.') {
                self.text.push_str(".0");
            }
        } else {
            let sign = if exponent < 0 { '-' } else { '+' };
            self.display(format_args!("{digits}e{sign}{:02}", exponent.unsigned_abs()));
        }
    }

    fn string(&mut self, text: &str) {
        self.text.push('"');
        let mut copied = 0;
        for (at, character) in text.char_indices() {
            let plain = match character {
                '"' | '\\' | '\0'..='\x1f' => false,
                '\x7f'.. => !self.style.ascii,
                _ => true,
            };
            if plain {
                continue;
            }
            self.text.push_str(&text[copied..at]);
            copied = at + character.len_utf8();
            match character {
                '"' => self.text.push_str("\\\""),
                '\\' => self.text.push_str("\\\\"),
                '\n' => self.text.push_str("\\n"),
                '\r' => self.text.push_str("\\r"),
                '\t' => self.text.push_str("\\t"),
                '\x08' => self.text.push_str("\\b"),
                '\x0c' => self.text.push_str("\\f"),
                _ => {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        self.display(format_args!("\\u{unit:04x}"));
                    }
                }
            }
        }
        self.text.push_str(&text[copied..]);
        self.text.push('"');
    }
}
