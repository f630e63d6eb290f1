//! The JSON reader.

use std::str::{self, FromStr};

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::super::{Key, List, Object, Value};
use super::{JsonError, JsonErrorCode};

/// Digits of the longest integer that is read; converting takes time quadratic in this number.
const MAX_INTEGER_DIGITS: usize = 20_000;

pub(super) fn parse(text: &[u8], max_depth: usize) -> Result<Value, JsonError> {
    let checked = str::from_utf8(text).map_err(|error| {
        JsonError::new(text, error.valid_up_to(), JsonErrorCode::Encoding, "the text is not valid UTF-8")
    })?;
    let mut parser = Parser { text: checked, at: 0, max_depth, keys: FxHashMap::default() };
    let value = parser.document()?;
    parser.blanks();
    if parser.at < text.len() {
        return Err(parser.syntax("expected the end of the JSON text"));
    }
    Ok(value)
}

/// A container whose end has not come yet.
enum Open {
    List(Vec<Value>),
    Object { entries: Object, key: Key },
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    max_depth: usize,
    /// Keys met before; most texts repeat a few keys very often.
    keys: FxHashMap<&'a str, Key>,
}

impl<'a> Parser<'a> {
    fn document(&mut self) -> Result<Value, JsonError> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            self.blanks();
            let mut value = match self.peek() {
                Some(b'[') => {
                    self.enter(open.len())?;
                    if self.follows(b']') {
                        Value::List(List::new())
                    } else {
                        open.push(Open::List(Vec::new()));
                        continue;
                    }
                }
                Some(b'{') => {
                    self.enter(open.len())?;
                    if self.follows(b'}') {
                        Value::Object(Object::new())
                    } else {
                        let entries = Object::new();
                        let key = self.key(&entries)?;
                        open.push(Open::Object { entries, key });
                        continue;
                    }
                }
                _ => self.scalar()?,
            };
            // The value is complete: hand it to the container around it, which may be complete with it.
            loop {
                let Some(container) = open.last_mut() else { return Ok(value) };
                match container {
                    Open::List(items) => {
                        items.push(value);
                        if self.follows(b',') {
                            break;
                        }
                        if !self.follows(b']') {
                            return Err(self.syntax("expected `,` or `]`"));
                        }
                        value = Value::List(std::mem::take(items).into());
                    }
                    Open::Object { entries, key } => {
                        entries.insert(key.clone(), value);
                        if self.follows(b',') {
                            *key = self.key(entries)?;
                            break;
                        }
                        if !self.follows(b'}') {
                            return Err(self.syntax("expected `,` or `}`"));
                        }
                        value = Value::Object(std::mem::take(entries));
                    }
                }
                open.pop();
            }
        }
    }

    /// Steps over the bracket that opens a container.
    fn enter(&mut self, depth: usize) -> Result<(), JsonError> {
        if depth >= self.max_depth {
            let message = format!("containers are nested more than {} deep", self.max_depth);
            return Err(self.error(JsonErrorCode::TooDeep, message));
        }
        self.at += 1;
        Ok(())
    }

    /// Reads a key and the colon behind it.
    fn key(&mut self, entries: &Object) -> Result<Key, JsonError> {
        self.blanks();
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.syntax("expected a key in double quotes"));
        }
        let key = match self.string()? {
            Text::Plain(text) => self.keys.entry(text).or_insert_with(|| Key::from(text)).clone(),
            Text::Unescaped(text) => Key::from(text),
        };
        if entries.contains_key(&key) {
            self.at = start;
            return Err(self.error(JsonErrorCode::DuplicateKey, format!("the key {key:?} occurs twice in one object")));
        }
        if !self.follows(b':') {
            return Err(self.syntax("expected `:`"));
        }
        Ok(key)
    }

    fn scalar(&mut self) -> Result<Value, JsonError> {
        match self.peek() {
            Some(b'"') => Ok(match self.string()? {
                Text::Plain(text) => Value::from(text),
                Text::Unescaped(text) => Value::from(text),
            }),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => {
                for (word, value) in [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false))]
                {
                    if self.text[self.at..].starts_with(word) {
                        self.at += word.len();
                        return Ok(value);
                    }
                }
                for word in ["NaN", "Infinity"] {
                    if self.text[self.at..].starts_with(word) {
                        return Err(self.error(JsonErrorCode::Number, "JSON numbers must be finite"));
                    }
                }
                Err(self.syntax("expected a JSON value"))
            }
        }
    }

    fn number(&mut self) -> Result<Value, JsonError> {
        let start = self.at;
        let negative = self.eat(b'-');
        if self.text[self.at..].starts_with("Infinity") {
            return Err(self.error(JsonErrorCode::Number, "JSON numbers must be finite"));
        }
        let first = self.peek();
        let digits = self.digits()?;
        if first == Some(b'0') && digits > 1 {
            self.at = start;
            return Err(self.syntax("a number must not start with 0"));
        }
        let mut whole = true;
        if self.eat(b'.') {
            whole = false;
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            whole = false;
            if !self.eat(b'+') {
                self.eat(b'-');
            }
            self.digits()?;
        }
        let text = &self.text[start..self.at];
        if whole {
            if let Ok(number) = text.parse::<i64>() {
                return Ok(Value::Int(number));
            }
            if digits <= MAX_INTEGER_DIGITS
                && let Ok(number) = BigInt::from_str(text)
            {
                return Ok(Value::big_int(number));
            }
            self.at = start + usize::from(negative);
            let message = format!("an integer has more than {MAX_INTEGER_DIGITS} digits");
            return Err(self.error(JsonErrorCode::Number, message));
        }
        text.parse::<f64>().ok().and_then(Value::float).ok_or_else(|| {
            self.at = start;
            self.error(JsonErrorCode::Number, "the number is out of range; JSON numbers must be finite")
        })
    }

    /// Steps over digits and counts them; at least one is wanted.
    fn digits(&mut self) -> Result<usize, JsonError> {
        let count = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        if count == 0 { Err(self.syntax("expected a digit")) } else { Ok(count) }
    }

    fn string(&mut self) -> Result<Text<'a>, JsonError> {
        self.at += 1;
        let start = self.at;
        let mut unescaped: Option<String> = None;
        let mut copied = start;
        loop {
            let special = self.rest().iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f));
            let Some(special) = special else {
                self.at = self.text.len();
                return Err(self.syntax("expected the string to end"));
            };
            self.at += special;
            match self.peek() {
                Some(b'"') => {
                    let run = &self.text[copied..self.at];
                    self.at += 1;
                    return Ok(match unescaped {
                        None => Text::Plain(run),
                        Some(text) => Text::Unescaped(text + run),
                    });
                }
                Some(b'\\') => {
                    let text = unescaped.get_or_insert_default();
                    text.push_str(&self.text[copied..self.at]);
                    let character = self.escape()?;
                    text.push(character);
                    copied = self.at;
                }
                _ => return Err(self.syntax("a control character in a string must be escaped")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let start = self.at;
        self.at += 1;
        let Some(byte) = self.peek() else { return Err(self.syntax("expected an escape")) };
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.hex(start)?;
                let code = if (0xd800..0xdc00).contains(&first) && self.rest().starts_with(b"\\u") {
                    self.at += 2;
                    let second = self.hex(start)?;
                    if !(0xdc00..0xe000).contains(&second) {
                        return Err(self.lone_surrogate(start));
                    }
                    0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)
                } else {
                    first
                };
                return char::from_u32(code).ok_or_else(|| self.lone_surrogate(start));
            }
            _ => {
                self.at = start;
                return Err(self.syntax("unknown escape"));
            }
        })
    }

    fn hex(&mut self, start: usize) -> Result<u32, JsonError> {
        let mut code = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(16)) else {
                self.at = start;
                return Err(self.syntax("expected four hexadecimal digits after `\\u`"));
            };
            code = code * 16 + digit;
            self.at += 1;
        }
        Ok(code)
    }

    fn lone_surrogate(&mut self, start: usize) -> JsonError {
        self.at = start;
        self.error(JsonErrorCode::LoneSurrogate, "an unpaired surrogate is no character")
    }

    fn rest(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Steps over blanks and then over `byte`, if that is what follows.
    fn follows(&mut self, byte: u8) -> bool {
        self.blanks();
        self.eat(byte)
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn syntax(&self, expected: &str) -> JsonError {
        let message = if self.at >= self.text.len() { "unexpected end of the JSON text" } else { expected };
        self.error(JsonErrorCode::Syntax, message)
    }

    fn error(&self, code: JsonErrorCode, message: impl Into<String>) -> JsonError {
        JsonError::new(self.text.as_bytes(), self.at, code, message)
    }
}

/// The contents of a string: as they stand in the text, or with escapes resolved.
enum Text<'a> {
    Plain(&'a str),
    Unescaped(String),
}
