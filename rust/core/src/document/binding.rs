//! Bindings: how values get into a step and out of it again.

use super::expression::Expression;
use super::form::{Codec, Definitions, Document, Part, Reader, View, assemble};
use crate::path::{GraphSourcePath, LocalPath, StatePath};
use crate::value::Value;

/// Fills one place of a payload.
#[derive(Clone, Debug, PartialEq)]
pub struct InputBinding {
    /// The place in the payload; the root means the whole payload.
    pub target: LocalPath,
    /// Where its value comes from.
    pub source: InputSource,
}

/// Where an input binding takes its value from.
#[derive(Clone, Debug, PartialEq)]
pub enum InputSource {
    /// `path`: a place in the input, the state or the context.
    Path(GraphSourcePath),
    /// `value`: a literal.
    Value(Value),
    /// `expression`: built from literals and paths (not allowed in a workflow's `output`).
    Expression(Expression),
}

document! {
    /// Fills one place of a payload with what a path holds.
    #[derive(Clone, Debug, PartialEq)]
    pub struct InputPathBinding: "InputPathBinding" {
        /// The place in the payload; `.` is the whole node input payload.
        pub target: LocalPath,
        /// Where the value is read: a path that begins with input, state, or context.
        pub path: GraphSourcePath,
    }
    unknown Forbid;
}

document! {
    /// Fills one place of a payload with a literal.
    #[derive(Clone, Debug, PartialEq)]
    pub struct InputValueBinding: "InputValueBinding" {
        /// The place in the payload; `.` is the whole node input payload.
        pub target: LocalPath,
        /// Literal JSON-compatible value; null is a value too.
        pub value: Value,
    }
    unknown Forbid;
}

document! {
    /// Fills one place of a payload with a value built from literals and paths.
    #[derive(Clone, Debug, PartialEq)]
    pub struct InputExpressionBinding: "InputExpressionBinding" {
        /// The place in the payload; `.` is the whole node input payload.
        pub target: LocalPath,
        /// How the value is built.
        pub expression: Expression,
    }
    unknown Forbid;
}

document! {
    /// Writes one place of an output into the state.
    #[derive(Clone, Debug, PartialEq)]
    pub struct OutputBinding: "OutputBinding" {
        /// The place in the output; `.` is the whole node output payload.
        pub source: LocalPath,
        /// The place in the state, such as state.report. Bare state is invalid.
        pub target: StatePath,
    }
    unknown Forbid;
}

impl From<InputPathBinding> for InputBinding {
    fn from(binding: InputPathBinding) -> Self {
        Self { target: binding.target, source: InputSource::Path(binding.path) }
    }
}

impl From<InputValueBinding> for InputBinding {
    fn from(binding: InputValueBinding) -> Self {
        Self { target: binding.target, source: InputSource::Value(binding.value) }
    }
}

impl From<InputExpressionBinding> for InputBinding {
    fn from(binding: InputExpressionBinding) -> Self {
        Self { target: binding.target, source: InputSource::Expression(binding.expression) }
    }
}

impl Part for InputBinding {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        read_binding(value, reader, Expressions::Allowed)
    }

    fn write(&self) -> Value {
        let target = self.target.write();
        Value::Object(match &self.source {
            InputSource::Path(path) => assemble::<InputPathBinding>([target, path.write()]),
            InputSource::Value(value) => assemble::<InputValueBinding>([target, value.clone()]),
            InputSource::Expression(expression) => assemble::<InputExpressionBinding>([target, expression.write()]),
        })
    }

    fn schema(definitions: &mut Definitions) -> Value {
        Definitions::any_of(vec![
            InputPathBinding::schema(definitions),
            InputValueBinding::schema(definitions),
            InputExpressionBinding::schema(definitions),
        ])
    }

    fn view(&self) -> View {
        let target = self.target.clone();
        match &self.source {
            InputSource::Path(path) => View::document(&InputPathBinding { target, path: path.clone() }),
            InputSource::Value(value) => View::document(&InputValueBinding { target, value: value.clone() }),
            InputSource::Expression(expression) => {
                View::document(&InputExpressionBinding { target, expression: expression.clone() })
            }
        }
    }
}

impl Document for InputBinding {
    const NAME: &'static str = "StepInputBinding";
}

/// Whether a binding may be built from an expression here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expressions {
    Allowed,
    Refused,
}

/// The key that is there says which binding it is.
fn read_binding(value: &Value, reader: &mut Reader, expressions: Expressions) -> Option<InputBinding> {
    let object = reader.object(value, "InputBinding")?;
    let present: Vec<&str> =
        ["path", "value", "expression"].into_iter().filter(|key| object.contains_key(key)).collect();
    match present.as_slice() {
        ["path"] => InputPathBinding::read(value, reader).map(Into::into),
        ["value"] => InputValueBinding::read(value, reader).map(Into::into),
        ["expression"] if expressions == Expressions::Allowed => {
            InputExpressionBinding::read(value, reader).map(Into::into)
        }
        ["expression"] => {
            reader.in_field("expression", |reader| {
                reader.hinted_problem(
                    "binding.expression_not_allowed",
                    "a workflow output binding takes a path or a value, not an expression",
                    Some("build the value in a step and bind its place in the state".to_owned()),
                );
            });
            None
        }
        [] => {
            let hint = object
                .keys()
                .filter(|key| key.as_ref() != "target")
                .find_map(|key| super::nearest(key, ["path", "value", "expression"]))
                .map(|near| format!("did you mean '{near}'?"));
            reader.hinted_problem("binding.no_source", "expected one of path, value or expression", hint);
            None
        }
        several => {
            let message = format!("expected only one of path, value and expression, got {}", several.join(" and "));
            reader.problem("binding.several_sources", message);
            None
        }
    }
}

/// Bindings without expressions: those of a workflow's output.
#[derive(Clone, Copy, Debug)]
pub(super) struct WithoutExpressions;

struct Simple(InputBinding);

impl Part for Simple {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        read_binding(value, reader, Expressions::Refused).map(Self)
    }

    fn write(&self) -> Value {
        self.0.write()
    }

    fn schema(definitions: &mut Definitions) -> Value {
        Definitions::any_of(vec![InputPathBinding::schema(definitions), InputValueBinding::schema(definitions)])
    }
}

impl Codec<Vec<InputBinding>> for WithoutExpressions {
    fn read(value: &Value, reader: &mut Reader) -> Option<Vec<InputBinding>> {
        Vec::<Simple>::read(value, reader).map(|bindings| bindings.into_iter().map(|simple| simple.0).collect())
    }

    fn write(part: &Vec<InputBinding>) -> Value {
        part.write()
    }

    fn schema(definitions: &mut Definitions) -> Value {
        Vec::<Simple>::schema(definitions)
    }

    fn view(part: &Vec<InputBinding>) -> View {
        part.view()
    }
}
