//! Reading JSON from outside: a value together with where it stands, for errors that say where.

use std::fmt;
use std::sync::Arc;

use num_traits::ToPrimitive;

use crate::value::{List, Object, Value};

use super::SnapshotError;

/// A value and its place in the document.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    value: &'a Value,
    place: Place<'a>,
}

/// Where a value stands. Linked upwards, so that descending costs nothing while all is well.
#[derive(Clone, Copy)]
enum Place<'a> {
    Root,
    Key(&'a Node<'a>, &'a str),
    Index(&'a Node<'a>, usize),
}

/// A number that a snapshot can hold.
pub(super) trait Number: Sized {
    const NAME: &'static str;
    fn read(value: &Value) -> Option<Self>;
}

impl Number for i64 {
    const NAME: &'static str = "an integer";
    fn read(value: &Value) -> Option<Self> {
        value.as_i64()
    }
}

impl Number for u64 {
    const NAME: &'static str = "an integer from 0";
    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Int(number) => Self::try_from(*number).ok(),
            Value::BigInt(number) => number.to_u64(),
            _ => None,
        }
    }
}

impl Number for u32 {
    const NAME: &'static str = "an integer from 0 to 4294967295";
    fn read(value: &Value) -> Option<Self> {
        Self::try_from(value.as_i64()?).ok()
    }
}

impl Number for usize {
    const NAME: &'static str = "an integer from 0";
    fn read(value: &Value) -> Option<Self> {
        Self::try_from(value.as_i64()?).ok()
    }
}

/// What reading gives.
pub(super) type Read<T> = Result<T, SnapshotError>;

impl<'a> Node<'a> {
    pub(super) fn root(value: &'a Value) -> Self {
        Self { value, place: Place::Root }
    }

    pub(super) fn value(&self) -> &'a Value {
        self.value
    }

    /// The value at a key that has to be there.
    pub(super) fn field(&'a self, key: &'a str) -> Read<Self> {
        match self.value.as_object() {
            Some(object) => match object.get(key) {
                Some(value) => Ok(Self { value, place: Place::Key(self, key) }),
                None => Err(self.invalid(format_args!("expected a key '{key}'"))),
            },
            None => Err(self.expected("an object")),
        }
    }

    /// The value at a key that may be missing or null.
    pub(super) fn optional(&'a self, key: &'a str) -> Read<Option<Self>> {
        let object = self.value.as_object().ok_or_else(|| self.expected("an object"))?;
        let value = object.get(key).filter(|value| !value.is_null());
        Ok(value.map(|value| Self { value, place: Place::Key(self, key) }))
    }

    pub(super) fn number<N: Number>(&self) -> Read<N> {
        N::read(self.value).ok_or_else(|| self.expected(N::NAME))
    }

    /// An index into a table of `len` entries.
    pub(super) fn index(&self, len: usize) -> Read<u32> {
        let index = self.number::<u32>()?;
        if (index as usize) < len {
            return Ok(index);
        }
        Err(self.invalid(format_args!("expected an index below {len}, got {index}")))
    }

    pub(super) fn flag(&self) -> Read<bool> {
        self.value.as_bool().ok_or_else(|| self.expected("true or false"))
    }

    pub(super) fn text(&self) -> Read<Arc<str>> {
        match self.value {
            Value::String(text) => Ok(Arc::clone(text)),
            _ => Err(self.expected("a text")),
        }
    }

    pub(super) fn object(&self) -> Read<Object> {
        self.value.as_object().cloned().ok_or_else(|| self.expected("an object"))
    }

    pub(super) fn list(&self) -> Read<List> {
        self.value.as_list().cloned().ok_or_else(|| self.expected("a list"))
    }

    /// A word of an enum.
    pub(super) fn word<T>(&self, parse: fn(&str) -> Option<T>) -> Read<T> {
        let word = self.text()?;
        parse(&word).ok_or_else(|| self.invalid(format_args!("unknown word '{word}'")))
    }

    /// Reads each item of a list.
    pub(super) fn each<T>(&'a self, mut read: impl FnMut(usize, Node<'_>) -> Read<T>) -> Read<Vec<T>> {
        let items = self.value.as_list().ok_or_else(|| self.expected("a list"))?;
        let nodes = items.iter().enumerate();
        nodes.map(|(index, value)| read(index, Node { value, place: Place::Index(self, index) })).collect()
    }

    /// Reads each entry of an object.
    pub(super) fn entries<T>(&'a self, mut read: impl FnMut(&Arc<str>, Node<'_>) -> Read<T>) -> Read<Vec<T>> {
        let object = self.value.as_object().ok_or_else(|| self.expected("an object"))?;
        object.iter().map(|(key, value)| read(key, Node { value, place: Place::Key(self, key) })).collect()
    }

    /// Reads each item of a list, or each entry of an object: version 1 keeps by id what later versions number.
    pub(super) fn parts(&'a self, mut read: impl FnMut(usize, Node<'_>) -> Read<()>) -> Read<()> {
        if self.value.as_list().is_some() {
            return self.each(read).map(drop);
        }
        let mut position = 0;
        self.entries(|_, node| {
            position += 1;
            read(position - 1, node)
        })
        .map(drop)
    }

    /// The items of a list that has to have exactly `N` of them.
    pub(super) fn tuple<const N: usize>(&'a self) -> Read<[Self; N]> {
        let items = self.value.as_list().filter(|items| items.len() == N);
        let Some(items) = items else { return Err(self.invalid(format_args!("expected a list of {N} items"))) };
        Ok(std::array::from_fn(|index| Self { value: &items[index], place: Place::Index(self, index) }))
    }

    #[cold]
    pub(super) fn expected(&self, what: &str) -> SnapshotError {
        self.invalid(format_args!("expected {what}, got {}", self.value.type_name()))
    }

    #[cold]
    pub(super) fn invalid(&self, message: fmt::Arguments<'_>) -> SnapshotError {
        SnapshotError::Invalid { path: self.path(), message: message.to_string() }
    }

    /// The place as text, such as `run.frames[3].status`.
    pub(super) fn path(&self) -> String {
        let mut steps = Vec::new();
        let mut place = self.place;
        loop {
            place = match place {
                Place::Root => break,
                Place::Key(parent, key) => {
                    steps.push(format!(".{key}"));
                    parent.place
                }
                Place::Index(parent, index) => {
                    steps.push(format!("[{index}]"));
                    parent.place
                }
            };
        }
        steps.reverse();
        let path = steps.concat();
        path.strip_prefix('.').map_or_else(|| path.clone(), str::to_owned)
    }
}
