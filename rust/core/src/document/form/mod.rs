//! How documents are declared, read, written and described.
//!
//! A document is declared once, by [`document!`](crate::document!): its fields with their names, types, defaults
//! and descriptions. Reading (all problems at once), writing (one canonical form), the JSON Schema and access by
//! field name follow from that table. [`Part`] is what may stand in a field; [`Codec`] is for fields whose rules
//! are stricter than their type.

#[macro_use]
mod declare;
#[macro_use]
mod text_enum;

mod codecs;
mod definitions;
mod nearest;
mod parts;
mod problem;
mod reader;
mod view;

pub use codecs::{NonEmpty, Number, Plain, Positive};
pub use definitions::Definitions;
pub use nearest::nearest;
pub use problem::{DocumentError, Problem};
pub use reader::{Reader, UnknownKeys};
pub use view::{AnyDocument, View};

pub(crate) use codecs::with;
pub(crate) use reader::{push_key, read_variant};

use crate::value::{MAX_DEPTH, Object, Value};

/// What may stand in a field of a document.
pub trait Part: Sized {
    /// Reads it; what is wrong is noted in the reader, and then the answer may be `None`.
    fn read(value: &Value, reader: &mut Reader) -> Option<Self>;

    /// Its canonical JSON.
    fn write(&self) -> Value;

    /// Its JSON Schema; documents put theirs under `$defs` and answer a reference.
    fn schema(definitions: &mut Definitions) -> Value;

    /// What somebody sees who reads the field: plain JSON, or documents.
    fn view(&self) -> View {
        View::Value(self.write())
    }
}

/// How one field is read and written when its type alone does not say it.
pub trait Codec<T> {
    /// Like [`Part::read`].
    fn read(value: &Value, reader: &mut Reader) -> Option<T>;

    /// Like [`Part::write`].
    fn write(part: &T) -> Value;

    /// Like [`Part::schema`].
    fn schema(definitions: &mut Definitions) -> Value;

    /// Like [`Part::view`].
    fn view(part: &T) -> View {
        View::Value(Self::write(part))
    }
}

/// One field of a document, as its declaration says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldInfo {
    /// Its key in JSON.
    pub name: &'static str,
    /// Whether a document must have it.
    pub required: bool,
    /// What it means.
    pub description: &'static str,
}

/// A constant entry that says which document an object is, such as `"type": "node"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Its key.
    pub key: &'static str,
    /// Its value.
    pub word: &'static str,
    /// Whether it is written before the first field; otherwise it follows it.
    pub first: bool,
}

/// A document: parsed as a whole, immutable, compared by value.
pub trait Document: Part + Clone + PartialEq + Send + Sync + 'static {
    /// Its public name.
    const NAME: &'static str;

    /// Its constant entry, if it has one.
    const TAG: Option<Tag> = None;

    /// Its fields in the order of the canonical form; empty when it is written as something else than an object.
    fn fields() -> &'static [FieldInfo] {
        &[]
    }

    /// The field of that name.
    fn field(&self, name: &str) -> Option<View> {
        let _ = name;
        None
    }

    /// Reads a document, or says everything that is wrong with it.
    ///
    /// # Errors
    /// Every problem, each with a code, the path where it is, a message and, where possible, a hint.
    ///
    /// ```
    /// use wf_core::document::{Document, Edge};
    /// use wf_core::value::Value;
    ///
    /// let error = Edge::parse(&Value::parse_json(r#"{"from": "a", "outcome": 1}"#)?).unwrap_err();
    /// let paths: Vec<_> = error.problems.iter().map(|problem| problem.path.as_str()).collect();
    /// assert_eq!(paths, ["outcome", "to"]);
    /// # Ok::<(), wf_core::value::JsonError>(())
    /// ```
    fn parse(value: &Value) -> Result<Self, DocumentError> {
        let mut reader = Reader::new();
        if value.is_deeper_than(MAX_DEPTH) {
            reader.problem("document.too_deep", format!("the document is nested more than {MAX_DEPTH} deep"));
            return Err(reader.into_error(Self::NAME));
        }
        match Self::read(value, &mut reader) {
            Some(document) if reader.is_clean() => Ok(document),
            _ => Err(reader.into_error(Self::NAME)),
        }
    }

    /// The canonical JSON.
    fn dump(&self) -> Value {
        self.write()
    }

    /// The JSON Schema of the canonical form, with `$defs` for the documents inside.
    fn json_schema() -> Value {
        let mut definitions = Definitions::default();
        let schema = Self::schema(&mut definitions);
        definitions.into_schema(schema, Self::NAME)
    }
}

/// Writes a document from its fields' values, in the order of the declaration.
pub fn assemble<D: Document>(values: impl IntoIterator<Item = Value>) -> Object {
    let fields = D::fields();
    let mut object = Object::with_capacity(fields.len() + usize::from(D::TAG.is_some()));
    for (index, (field, value)) in fields.iter().zip(values).enumerate() {
        if let Some(tag) = D::TAG
            && index == usize::from(!tag.first)
        {
            object.insert(tag.key, tag.word);
        }
        object.insert(field.name, value);
    }
    // A document of one field has its tag behind it.
    if let Some(tag) = D::TAG
        && !object.contains_key(tag.key)
    {
        object.insert(tag.key, tag.word);
    }
    object
}
