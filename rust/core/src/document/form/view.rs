//! Fields seen from outside: plain JSON, or the documents that stand in them.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::Document;
use crate::value::{Key, Value};

/// What stands in a field.
#[derive(Clone, Debug)]
pub enum View {
    /// Plain JSON.
    Value(Value),
    /// A document.
    Document(Arc<dyn AnyDocument>),
    /// Several.
    List(Vec<Self>),
    /// Several by key.
    Map(Vec<(Key, Self)>),
}

/// A document of any kind.
pub trait AnyDocument: Send + Sync {
    /// Its public name, [`Document::NAME`].
    fn name(&self) -> &'static str;

    /// Its canonical JSON, [`Document::dump`].
    fn to_value(&self) -> Value;

    /// The document itself, for a downcast by name.
    fn as_any(&self) -> &dyn Any;
}

impl<D: Document> AnyDocument for D {
    fn name(&self) -> &'static str {
        D::NAME
    }

    fn to_value(&self) -> Value {
        self.dump()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl fmt::Debug for dyn AnyDocument {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}({:?})", self.name(), self.to_value())
    }
}

impl View {
    /// A document as a view.
    pub fn document<D: Document>(document: &D) -> Self {
        Self::Document(Arc::new(document.clone()))
    }
}
