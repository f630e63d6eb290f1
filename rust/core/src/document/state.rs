//! The schema of the state, and the fields it declares.

use std::borrow::Cow;
use std::sync::Arc;

use super::form::{Definitions, Document, FieldInfo, Part, Reader, View};
use super::schema::{self, SchemaRef};
use super::{ReducerRef, metaschema, state_legacy};
use crate::path::StatePath;
use crate::value::{MAX_DEPTH, Object, Value, repr_text};

/// How many fields a state schema may declare; references can multiply them without end.
const MOST_FIELDS: usize = 100_000;

/// The schema of the state: a JSON Schema whose properties may carry `reducer`, `trace` and `default`.
#[derive(Clone, Debug, PartialEq)]
pub struct StateSchema {
    /// The canonical JSON Schema object.
    pub(crate) schema: Object,
    /// Its fields, parents before their children.
    pub(crate) fields: Vec<StateField>,
}

document! {
    /// One declared place of the state.
    #[derive(Clone, Debug, PartialEq)]
    pub struct StateField: "StateFieldDecl" {
        /// Where it is, such as state.report.
        pub path: StatePath,
        /// The schema its values must meet.
        pub schema: SchemaRef = SchemaRef::any_object(),
        /// How writes to it merge.
        pub reducer: ReducerRef = ReducerRef::replace(),
        /// Accepted for compatibility; has no effect.
        pub trace: bool = true,
        /// Its value at the start of a run; null means none.
        pub default: Option<Value> = None,
    }
    before schema_shorthand;
}

document! {
    /// One declared place of the state, for the map form in which the key is the path.
    #[derive(Clone, Debug, PartialEq)]
    pub struct StateFieldShorthand: "StateField" {
        /// The type of its values.
        pub field_type: Arc<str> as "type",
        /// How writes to it merge.
        pub reducer: ReducerRef = ReducerRef::replace(),
        /// Accepted for compatibility; has no effect.
        pub trace: bool = true,
        /// Its value at the start of a run; null means none.
        pub default: Option<Value> = None,
    }
}

/// `type` alone is a schema, and `validation_schema` is the former spelling of `schema`.
#[expect(clippy::unnecessary_wraps, reason = "what `before` expects")]
fn schema_shorthand<'v>(value: &'v Value, _: &mut Reader) -> Option<Cow<'v, Value>> {
    let Value::Object(object) = value else { return Some(Cow::Borrowed(value)) };
    if object.contains_key("schema") {
        return Some(Cow::Borrowed(value));
    }
    let schema = match (object.get("validation_schema"), object.get("type")) {
        (Some(schema), _) => schema.clone(),
        (None, Some(name)) => Value::Object(Object::from_iter([("type", name.clone())])),
        (None, None) => return Some(Cow::Borrowed(value)),
    };
    let mut canonical = object.clone();
    canonical.insert("schema", schema);
    Some(Cow::Owned(Value::Object(canonical)))
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

    /// The names of the properties at the top, in order.
    pub fn root_fields(&self) -> impl Iterator<Item = &str> {
        let properties = self.schema.get("properties").and_then(Value::as_object);
        properties.into_iter().flat_map(|properties| properties.keys().map(AsRef::as_ref))
    }

    /// Whether there is a property of that name at the top.
    pub fn has_root_field(&self, name: &str) -> bool {
        self.schema.get("properties").and_then(Value::as_object).is_some_and(|fields| fields.contains_key(name))
    }
}

impl StateField {
    /// The one type that its schema names, references followed; `None` when it names none or several.
    pub fn declared_type(&self) -> Option<&str> {
        let root = self.schema.as_object();
        let mut schema = root;
        // As many steps as there can be definitions, then it is a circle.
        for _ in 0..=MAX_DEPTH {
            if let Some(name) = schema.get("type") {
                return name.as_str();
            }
            schema = local(root, schema.get("$ref")?.as_str()?)?.as_object()?;
        }
        None
    }
}

impl Part for StateSchema {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let schema = reader.object(value, "StateSchema")?;
        let canonical = state_legacy::without_fields(schema, reader)?;
        metaschema::check(&canonical, reader)?;
        let schema = schema::canonical(&canonical, Some("object"));
        if !allows_object(&schema) {
            reader.in_field("type", |reader| {
                reader.problem("state.not_object", "the state is an object, but its schema excludes objects");
            });
            return None;
        }
        let fields = Index { root: &schema, fields: Vec::new(), open: Vec::new(), full: false }.collect(reader)?;
        Some(Self { schema, fields })
    }

    fn write(&self) -> Value {
        Value::Object(self.schema.clone())
    }

    fn schema(definitions: &mut Definitions) -> Value {
        definitions.document::<Self>(|_| {
            let description = "The JSON Schema of the state; properties may carry reducer, trace and default.";
            schema::json_schema(Self::NAME, description, Value::from("object"))
        })
    }

    fn view(&self) -> View {
        View::document(self)
    }
}

impl Document for StateSchema {
    const NAME: &'static str = "StateSchema";

    fn fields() -> &'static [FieldInfo] {
        schema::FIELDS
    }

    fn field(&self, name: &str) -> Option<View> {
        schema::field(&self.schema, name)
    }
}

/// Whether a schema's `type` leaves room for objects.
fn allows_object(schema: &Object) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => name.as_ref() == "object",
        Some(Value::List(names)) => names.iter().any(|name| name.as_str() == Some("object")),
        _ => true,
    }
}

/// Collects the declared fields of a state schema.
struct Index<'s> {
    root: &'s Object,
    fields: Vec<StateField>,
    /// The references being followed; one of them met again is a recursive schema, which ends there.
    open: Vec<Arc<str>>,
    /// Whether there were more fields than allowed.
    full: bool,
}

impl<'s> Index<'s> {
    fn collect(mut self, reader: &mut Reader) -> Option<Vec<StateField>> {
        let before = reader.problem_count();
        self.properties(self.root, &mut Vec::new(), reader);
        (reader.problem_count() == before).then_some(self.fields)
    }

    fn properties(&mut self, schema: &'s Object, above: &mut Vec<Arc<str>>, reader: &mut Reader) {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
        reader.in_field("properties", |reader| {
            for (name, property) in properties {
                // `true` and `false` are schemas, but declare nothing.
                let Value::Object(property) = property else { continue };
                above.push(name.clone());
                reader.in_key(name, |reader| self.field(property, above, reader));
                above.pop();
            }
        });
    }

    fn field(&mut self, property: &'s Object, parts: &mut Vec<Arc<str>>, reader: &mut Reader) {
        if self.fields.len() == MOST_FIELDS || parts.len() > MAX_DEPTH {
            if !self.full {
                reader.problem("state.too_many_fields", "the state schema declares too many fields");
            }
            self.full = true;
            return;
        }
        let path = match StatePath::new(parts.iter().cloned()) {
            Ok(path) => path,
            Err(error) => return reader.problem(error.code(), error.to_string()),
        };
        let chain = self.definitions(property);
        let keyword = |name: &str| {
            std::iter::once(property).chain(chain.iter().map(|(_, schema)| *schema)).find_map(|schema| schema.get(name))
        };
        let dotted = parts.join(".");
        let reducer = match keyword("reducer") {
            None => ReducerRef::replace(),
            Some(value) => {
                let before = reader.problem_count();
                let reducer = reader.in_field("reducer", |reader| ReducerRef::read(value, reader));
                reader.prefix_since(before, &format!("invalid reducer for state field {}: ", repr_text(&dotted)));
                reducer.unwrap_or_else(ReducerRef::replace)
            }
        };
        let trace = match keyword("trace") {
            None => true,
            Some(Value::Bool(trace)) => *trace,
            Some(_) => {
                let message = format!("invalid trace for state field {}: expected bool", repr_text(&dotted));
                reader.in_field("trace", |reader| reader.problem("state.trace", message));
                true
            }
        };
        let default = keyword("default").filter(|default| !default.is_null()).cloned();
        let resolved = chain.last().map_or(property, |(_, schema)| *schema);
        let schema = SchemaRef(schema::canonical(&self.standalone(property), None));
        self.fields.push(StateField { path, schema, reducer, trace, default });

        let nested = [property, resolved].into_iter().find(|schema| schema.contains_key("properties"));
        let Some(nested) = nested else { return };
        if !allows_object(nested) || !allows_object(property) {
            if nested.get("properties").and_then(Value::as_object).is_some_and(|fields| !fields.is_empty()) {
                reader.hinted_problem(
                    "state.parent_not_object",
                    format!("state field {} has fields below it but is no object", repr_text(&dotted)),
                    Some(r#"set its "type" to "object""#.to_owned()),
                );
            }
            return;
        }
        let opened = chain.len();
        if chain.iter().any(|(reference, _)| self.open.contains(reference)) {
            return;
        }
        self.open.extend(chain.into_iter().map(|(reference, _)| reference));
        self.properties(nested, parts, reader);
        self.open.truncate(self.open.len() - opened);
    }

    /// The definitions that a property refers to, one after the other; a circle ends them.
    fn definitions(&self, property: &'s Object) -> Vec<(Arc<str>, &'s Object)> {
        let mut chain: Vec<(Arc<str>, &'s Object)> = Vec::new();
        let mut schema = property;
        while let Some(Value::String(reference)) = schema.get("$ref") {
            let Some(Value::Object(target)) = local(self.root, reference) else { break };
            if chain.iter().any(|(known, _)| known == reference) {
                break;
            }
            chain.push((reference.clone(), target));
            schema = target;
        }
        chain
    }

    /// A property's schema that can stand alone: without the kernel's keywords, with what it may refer to.
    fn standalone(&self, property: &Object) -> Object {
        let mut schema: Object = property
            .iter()
            .filter(|(key, _)| !matches!(key.as_ref(), "reducer" | "trace"))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        for keyword in ["$defs", "definitions", "$schema"] {
            if let Some(value) = self.root.get(keyword)
                && !schema.contains_key(keyword)
            {
                schema.insert(keyword, value.clone());
            }
        }
        schema
    }
}

/// What a local reference (`#`, or `#/…` with a JSON pointer) leads to.
pub(crate) fn local<'s>(root: &'s Object, reference: &str) -> Option<&'s Value> {
    let pointer = reference.strip_prefix("#/")?;
    let mut place: Option<&Value> = None;
    for token in pointer.split('/') {
        let token = percent_decoded(token)?.replace("~1", "/").replace("~0", "~");
        place = Some(match place {
            None => root.get(&token)?,
            Some(Value::Object(object)) => object.get(&token)?,
            Some(Value::List(items)) => items.get(token.parse::<usize>().ok()?)?,
            Some(_) => return None,
        });
    }
    place
}

/// Resolves `%xx` in a fragment.
fn percent_decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        if *byte == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(*byte);
        }
    }
    String::from_utf8(bytes).ok()
}
