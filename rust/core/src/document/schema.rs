//! JSON Schemas in documents.

use super::form::{Definitions, Document, FieldInfo, Part, Reader, View};
use super::metaschema;
use crate::value::{Object, Value};

/// A JSON Schema object, checked against its metaschema and kept in canonical form.
///
/// Canonical: `title`, `type`, `properties` and `required` come first, the latter two always; everything else
/// follows as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaRef(pub(crate) Object);

pub(super) const FIELDS: &[FieldInfo] = &[
    FieldInfo { name: "title", required: false, description: "Its title." },
    FieldInfo { name: "type", required: false, description: "The type or types that values may have." },
    FieldInfo { name: "properties", required: false, description: "The schemas of the properties." },
    FieldInfo { name: "required", required: false, description: "The properties that must be there." },
];

impl SchemaRef {
    /// The JSON Schema.
    pub fn as_object(&self) -> &Object {
        &self.0
    }

    /// The schema that says no more than `object`.
    pub fn any_object() -> Self {
        Self::canonical(&Object::from_iter([("type", "object")]))
    }

    /// A schema whose metaschema check has been done, in canonical form.
    pub(super) fn canonical(schema: &Object) -> Self {
        Self(canonical(schema, None))
    }

    /// The names of the properties at the top, in order.
    pub fn property_names(&self) -> impl Iterator<Item = &str> {
        properties(&self.0).into_iter().flat_map(|properties| properties.keys().map(AsRef::as_ref))
    }

    /// Whether there is a property of that name at the top.
    pub fn has_property(&self, name: &str) -> bool {
        properties(&self.0).is_some_and(|properties| properties.contains_key(name))
    }
}

fn properties(schema: &Object) -> Option<&Object> {
    schema.get("properties")?.as_object()
}

/// Brings the declared keywords to the front and adds those that are always there.
pub(super) fn canonical(schema: &Object, default_type: Option<&str>) -> Object {
    let mut ordered = Object::with_capacity(schema.len() + 2);
    for field in FIELDS {
        let default = match field.name {
            "type" => default_type.map(Value::from),
            "properties" => Some(Value::Object(Object::new())),
            "required" => Some(Value::List(Vec::new().into())),
            _ => None,
        };
        if let Some(value) = schema.get(field.name).cloned().or(default) {
            ordered.insert(field.name, value);
        }
    }
    for (key, value) in schema {
        if !ordered.contains_key(key) {
            ordered.insert(key.clone(), value.clone());
        }
    }
    ordered
}

/// A declared keyword as a field of the document.
pub(super) fn field(schema: &Object, name: &str) -> Option<View> {
    FIELDS.iter().any(|field| field.name == name).then(|| View::Value(schema.get(name).cloned().unwrap_or_default()))
}

impl Part for SchemaRef {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let schema = reader.object(value, "JSON Schema")?;
        metaschema::check(schema, reader)?;
        Some(Self::canonical(schema))
    }

    fn write(&self) -> Value {
        Value::Object(self.0.clone())
    }

    fn schema(definitions: &mut Definitions) -> Value {
        definitions.document::<Self>(|_| json_schema(Self::NAME, "A JSON Schema object.", Value::Null))
    }

    fn view(&self) -> View {
        View::document(self)
    }
}

impl Document for SchemaRef {
    const NAME: &'static str = "SchemaRef";

    fn fields() -> &'static [FieldInfo] {
        FIELDS
    }

    fn field(&self, name: &str) -> Option<View> {
        field(&self.0, name)
    }
}

/// The JSON Schema of a document that is itself a JSON Schema.
pub(super) fn json_schema(name: &str, description: &str, default_type: Value) -> Value {
    let of_type = |name: &str| Object::from_iter([("type", Value::from(name))]);
    let texts =
        || Value::Object(Object::from_iter([("type", Value::from("array")), ("items", of_type("string").into())]));
    let types = Definitions::any_of(vec![of_type("string").into(), texts(), Definitions::null()]);
    let title = Definitions::any_of(vec![of_type("string").into(), Definitions::null()]);
    let properties = Object::from_iter([("type", Value::from("object")), ("additionalProperties", Value::Bool(true))]);
    let schemas = [
        (title, Value::Null),
        (types, default_type),
        (properties.into(), Value::Object(Object::new())),
        (texts(), Value::List(Vec::new().into())),
    ];
    let schemas = schemas.into_iter().map(|(schema, default)| (schema, Some(default))).collect();
    let open = super::form::UnknownKeys::Ignore;
    let Value::Object(mut schema) = Definitions::object_schema(name, description, None, FIELDS, schemas, open) else {
        return Value::Null;
    };
    schema.insert("additionalProperties", true);
    Value::Object(schema)
}
