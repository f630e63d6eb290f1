//! A shared, copy-on-write, insertion-ordered object.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::{Value, release};

/// The key of an object's entry; shared, since the same few keys occur again and again.
pub type Key = Arc<str>;

type Entries = IndexMap<Key, Value, FxBuildHasher>;

/// An object; cloning shares it, changing it copies it only while it is shared.
#[derive(Clone, Default)]
pub struct Object(
    // `None` is the empty object: it costs no allocation, and `drop` can take the contents out.
    Option<Arc<Entries>>,
);

impl Object {
    /// An empty object.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty object with room for `capacity` entries.
    pub fn with_capacity(capacity: usize) -> Self {
        Self((capacity > 0).then(|| Arc::new(IndexMap::with_capacity_and_hasher(capacity, FxBuildHasher))))
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |entries| entries.len())
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value at `key`.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.as_ref()?.get(key)
    }

    /// Whether there is an entry at `key`, `null` included.
    pub fn contains_key(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Sets `key` to `value`; a new key goes to the end, a known one keeps its place.
    pub fn insert(&mut self, key: impl Into<Key>, value: impl Into<Value>) -> Option<Value> {
        Arc::make_mut(self.0.get_or_insert_default()).insert(key.into(), value.into())
    }

    /// The value at `key`, for changing; copies the object first when another value shares it.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        Arc::make_mut(self.0.as_mut()?).get_mut(key)
    }

    /// Removes the entry at `key`; the entries behind it move up.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        let entries = self.0.as_mut()?;
        // A missing key must not copy a shared object.
        if entries.contains_key(key) { Arc::make_mut(entries).shift_remove(key) } else { None }
    }

    /// The entries in order.
    pub fn iter(&self) -> Iter<'_> {
        Iter(self.slice().iter())
    }

    /// The keys in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Key> + DoubleEndedIterator {
        self.slice().keys()
    }

    /// The values in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> + DoubleEndedIterator {
        self.slice().values()
    }

    /// Whether both are the very same allocation (a cheap sign of equality).
    pub fn same_allocation(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    fn slice(&self) -> &indexmap::map::Slice<Key, Value> {
        self.0.as_ref().map_or_else(indexmap::map::Slice::new, |entries| entries.as_slice())
    }

    /// Takes the values out if nobody else shares them; the object is empty afterwards.
    pub(super) fn take_unique(&mut self) -> Option<impl Iterator<Item = Value> + use<>> {
        self.0.take().and_then(Arc::into_inner).map(IndexMap::into_values)
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        let nested = self.values().any(Value::is_container);
        if let Some(values) = self.take_unique()
            && nested
        {
            release::release(values.filter(Value::is_container).collect());
        }
    }
}

/// The entries of an [`Object`] in order.
#[derive(Clone, Debug)]
pub struct Iter<'a>(indexmap::map::Iter<'a, Key, Value>);

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a Key, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back()
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'a> IntoIterator for &'a Object {
    type Item = (&'a Key, &'a Value);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl<K: Into<Key>, V: Into<Value>> FromIterator<(K, V)> for Object {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let entries: Entries = entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect();
        Self((!entries.is_empty()).then(|| Arc::new(entries)))
    }
}
