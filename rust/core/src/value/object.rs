//! A shared, copy-on-write, insertion-ordered object.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::Value;

/// The key of an object's entry; shared, since the same few keys occur again and again.
pub type Key = Arc<str>;

/// An object; cloning shares it, changing it copies it only while it is shared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object(Arc<IndexMap<Key, Value, FxBuildHasher>>);

impl Object {
    /// An empty object.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty object with room for `capacity` entries.
    pub fn with_capacity(capacity: usize) -> Self {
        Self(Arc::new(IndexMap::with_capacity_and_hasher(capacity, FxBuildHasher)))
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value at `key`.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    /// Whether there is an entry at `key`, `null` included.
    pub fn contains_key(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// Sets `key` to `value`; a new key goes to the end, a known one keeps its place.
    pub fn insert(&mut self, key: impl Into<Key>, value: impl Into<Value>) -> Option<Value> {
        Arc::make_mut(&mut self.0).insert(key.into(), value.into())
    }

    /// The value at `key`, for changing; copies the object first when another value shares it.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        Arc::make_mut(&mut self.0).get_mut(key)
    }

    /// Removes the entry at `key`; the entries behind it move up.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        Arc::make_mut(&mut self.0).shift_remove(key)
    }

    /// The entries in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Key, &Value)> + DoubleEndedIterator {
        self.0.iter()
    }

    /// The keys in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Key> {
        self.0.keys()
    }

    /// The values in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.0.values()
    }

    /// Whether both are the very same allocation (a cheap sign of equality).
    pub fn same_allocation(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<K: Into<Key>, V: Into<Value>> FromIterator<(K, V)> for Object {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self(Arc::new(entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect()))
    }
}
