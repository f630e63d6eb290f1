//! JSON Schemas in documents: of payloads, and of the state.

use crate::path::StatePath;
use crate::value::{Object, Value};

use super::ReducerRef;

/// A JSON Schema object, checked against its metaschema and kept in canonical form.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaRef(pub(crate) Object);

/// The schema of the state: a JSON Schema whose properties may carry `reducer`, `trace` and `default`.
#[derive(Clone, Debug, PartialEq)]
pub struct StateSchema {
    /// The canonical JSON Schema object.
    pub(crate) schema: Object,
    /// Its fields, parents before their children.
    pub(crate) fields: Vec<StateField>,
}

/// One declared place of the state.
#[derive(Clone, Debug, PartialEq)]
pub struct StateField {
    /// Where it is.
    pub path: StatePath,
    /// The schema its values must meet.
    pub schema: SchemaRef,
    /// How writes to it merge.
    pub reducer: ReducerRef,
    /// Accepted for compatibility; has no effect.
    pub trace: bool,
    /// Its value at the start of a run; `None` means none.
    pub default: Option<Value>,
}

impl SchemaRef {
    /// The JSON Schema.
    pub fn as_object(&self) -> &Object {
        &self.0
    }
}

impl StateSchema {
    /// The JSON Schema, kernel keywords included.
    pub fn as_object(&self) -> &Object {
        &self.schema
    }

    /// The declared fields, parents before their children, in property order.
    pub fn fields(&self) -> &[StateField] {
        &self.fields
    }
}
