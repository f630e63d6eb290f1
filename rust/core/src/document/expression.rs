//! Expressions: values built from literals and paths.

use std::sync::Arc;

use super::form::{Definitions, Document, Part, Reader, View, assemble, push_key, read_variant};
use crate::path::GraphSourcePath;
use crate::value::Value;

/// How deep expressions may be nested, the literals' containers included.
pub const MAX_EXPRESSION_DEPTH: usize = 64;

/// How many expressions and literal containers one binding may have.
pub const MAX_EXPRESSION_NODES: usize = 1024;

/// A value built from literals and paths.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A literal.
    Literal(Value),
    /// What a path holds.
    Path(GraphSourcePath),
    /// A list of expressions.
    Array(Vec<Self>),
    /// An object of expressions, in the order written.
    Object(Vec<(Arc<str>, Self)>),
}

document! {
    /// A literal.
    #[derive(Clone, Debug, PartialEq)]
    pub struct LiteralExpression: "LiteralExpression" {
        /// Literal JSON-compatible value.
        pub value: Value,
    }
    tag "kind" = "literal" first;
    unknown Forbid;
}

document! {
    /// What a path holds.
    #[derive(Clone, Debug, PartialEq)]
    pub struct PathExpression: "PathExpression" {
        /// Where the value is read: a path that begins with input, state, or context.
        pub path: GraphSourcePath,
    }
    tag "kind" = "path" first;
    unknown Forbid;
}

document! {
    /// A list of expressions.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ArrayExpression: "ArrayExpression" {
        /// The items.
        pub items: Vec<Expression>,
    }
    tag "kind" = "array" first;
    unknown Forbid;
}

document! {
    /// An object of expressions.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ObjectExpression: "ObjectExpression" {
        /// The entries.
        pub fields: Vec<(Arc<str>, Expression)>,
    }
    tag "kind" = "object" first;
    unknown Forbid;
}

impl Part for Expression {
    /// Reads an expression after measuring all of it, so that reading may recurse.
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        if let Err((code, message)) = measure(value) {
            reader.problem(code, message);
            return None;
        }
        read_measured(value, reader)
    }

    fn write(&self) -> Value {
        Value::Object(match self {
            Self::Literal(value) => assemble::<LiteralExpression>([value.clone()]),
            Self::Path(path) => assemble::<PathExpression>([path.write()]),
            Self::Array(items) => assemble::<ArrayExpression>([items.write()]),
            Self::Object(fields) => assemble::<ObjectExpression>([fields.write()]),
        })
    }

    fn schema(definitions: &mut Definitions) -> Value {
        definitions.reference(Self::NAME, |definitions| {
            let variants = vec![
                LiteralExpression::schema(definitions),
                PathExpression::schema(definitions),
                ArrayExpression::schema(definitions),
                ObjectExpression::schema(definitions),
            ];
            Definitions::one_of("kind", &["literal", "path", "array", "object"], variants)
        })
    }

    fn view(&self) -> View {
        match self {
            Self::Literal(value) => View::document(&LiteralExpression { value: value.clone() }),
            Self::Path(path) => View::document(&PathExpression { path: path.clone() }),
            Self::Array(items) => View::document(&ArrayExpression { items: items.clone() }),
            Self::Object(fields) => View::document(&ObjectExpression { fields: fields.clone() }),
        }
    }
}

impl Document for Expression {
    const NAME: &'static str = "InputExpression";
}

fn read_measured(value: &Value, reader: &mut Reader) -> Option<Expression> {
    match read_variant(value, reader, "InputExpression", "kind", &["literal", "path", "array", "object"])? {
        "literal" => LiteralExpression::read(value, reader).map(|expression| Expression::Literal(expression.value)),
        "path" => PathExpression::read(value, reader).map(|expression| Expression::Path(expression.path)),
        "array" => ArrayExpression::read(value, reader).map(|expression| Expression::Array(expression.items)),
        _ => ObjectExpression::read(value, reader).map(|expression| Expression::Object(expression.fields)),
    }
}

/// What still has to be measured.
enum Measure<'a> {
    Expression(&'a Value),
    Literal(&'a Value),
}

/// Counts expressions and the containers of literals, and how deep they are nested.
fn measure(value: &Value) -> Result<(), (&'static str, String)> {
    let mut pending = vec![(Measure::Expression(value), 1, "expression".to_owned())];
    let mut nodes = 0;
    while let Some((item, depth, place)) = pending.pop() {
        let (Measure::Expression(value) | Measure::Literal(value)) = item;
        if matches!(item, Measure::Literal(_)) && !value.is_container() {
            continue;
        }
        if depth > MAX_EXPRESSION_DEPTH {
            return Err(("expression.depth", format!("input expression depth limit exceeded at {place}")));
        }
        nodes += 1;
        if nodes > MAX_EXPRESSION_NODES {
            return Err(("expression.nodes", format!("input expression node limit exceeded at {place}")));
        }
        // Pushed in reverse, so that the place of the first excess in document order is named.
        let before = pending.len();
        match item {
            Measure::Expression(Value::Object(object)) => {
                match object.get("kind").and_then(Value::as_str) {
                    Some("literal") => pending.extend(
                        object.get("value").map(|value| (Measure::Literal(value), depth + 1, format!("{place}.value"))),
                    ),
                    Some("array") => {
                        if let Some(Value::List(items)) = object.get("items") {
                            pending.extend(items.iter().enumerate().map(|(index, item)| {
                                (Measure::Expression(item), depth + 1, format!("{place}.items[{index}]"))
                            }));
                        }
                    }
                    Some("object") => {
                        if let Some(Value::Object(fields)) = object.get("fields") {
                            pending.extend(fields.iter().map(|(key, field)| {
                                (Measure::Expression(field), depth + 1, at_key(&format!("{place}.fields"), key))
                            }));
                        }
                    }
                    // Reading tells what is wrong with it.
                    _ => {}
                }
            }
            Measure::Literal(Value::List(items)) => pending.extend(
                items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| (Measure::Literal(item), depth + 1, format!("{place}[{index}]"))),
            ),
            Measure::Literal(Value::Object(object)) => pending
                .extend(object.iter().map(|(key, value)| (Measure::Literal(value), depth + 1, at_key(&place, key)))),
            _ => {}
        }
        pending[before..].reverse();
    }
    Ok(())
}

fn at_key(place: &str, key: &str) -> String {
    let mut place = place.to_owned();
    push_key(&mut place, key);
    place
}
