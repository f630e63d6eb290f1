//! A shared, copy-on-write array.

use std::ops::Deref;
use std::sync::Arc;

use super::Value;

/// An array of values; cloning shares it, changing it copies it only while it is shared.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::rc_buffer, reason = "appending in place needs a growable buffer, and `Arc<[Value]>` has none")]
pub struct List(Arc<Vec<Value>>);

impl List {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// The items, for changing; copies them first when another value shares them.
    pub fn make_mut(&mut self) -> &mut Vec<Value> {
        Arc::make_mut(&mut self.0)
    }

    /// Whether both are the very same allocation (a cheap sign of equality).
    pub fn same_allocation(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for List {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0
    }
}

impl From<Vec<Value>> for List {
    fn from(items: Vec<Value>) -> Self {
        Self(Arc::new(items))
    }
}

impl FromIterator<Value> for List {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Self {
        Self(Arc::new(items.into_iter().collect()))
    }
}
