//! A shared, copy-on-write array.

use std::ops::Deref;
use std::sync::Arc;

use super::{Value, release};

/// An array of values; cloning shares it, changing it copies it only while it is shared.
#[derive(Clone, Default)]
#[expect(clippy::rc_buffer, reason = "appending in place needs a growable buffer, and `Arc<[Value]>` has none")]
pub struct List(
    // `None` is the empty list: it costs no allocation, and `drop` can take the contents out.
    Option<Arc<Vec<Value>>>,
);

impl List {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// The items, for changing; copies them first when another value shares them.
    pub fn make_mut(&mut self) -> &mut Vec<Value> {
        Arc::make_mut(self.0.get_or_insert_default())
    }

    /// Whether both are the very same allocation (a cheap sign of equality).
    pub fn same_allocation(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    /// Takes the items out if nobody else shares them; the list is empty afterwards.
    pub(super) fn take_unique(&mut self) -> Option<Vec<Value>> {
        self.0.take().and_then(Arc::into_inner)
    }
}

impl Drop for List {
    fn drop(&mut self) {
        if let Some(items) = self.take_unique() {
            release::release(items);
        }
    }
}

impl Deref for List {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }
}

impl From<Vec<Value>> for List {
    fn from(items: Vec<Value>) -> Self {
        Self((items.capacity() > 0).then(|| Arc::new(items)))
    }
}

impl FromIterator<Value> for List {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Self {
        items.into_iter().collect::<Vec<_>>().into()
    }
}
