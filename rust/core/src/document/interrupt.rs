//! The interrupt step: the run pauses and asks somebody.

use std::borrow::Cow;
use std::sync::Arc;

use super::form::{Codec, Definitions, Part, Reader};
use super::legacy::{Conversion, canonical_bindings};
use super::{InputBinding, OutputBinding, SchemaRef};
use crate::value::{Object, Value};

document! {
    /// Pauses the run with a request until it is resumed with an outcome and a payload.
    #[derive(Clone, Debug, PartialEq)]
    pub struct InterruptStep: "InterruptNode" {
        /// The step's id.
        pub id: Arc<str>,
        /// What kind of answer is wanted, for example `approval`.
        pub kind: Arc<str>,
        /// Fills the request's payload.
        pub request: Vec<InputBinding> = Vec::new(),
        /// Writes the answer's payload into the state.
        pub resume: Vec<OutputBinding> = Vec::new(),
        /// The outcomes an answer may choose.
        pub outcomes: Vec<Arc<str>> = vec![Arc::from("submitted")],
        /// The schema of the request's payload.
        pub request_schema: SchemaRef => PayloadSchema = default_schema(),
        /// The schema of the answer's payload.
        pub resume_schema: SchemaRef => PayloadSchema = default_schema(),
    }
    tag "type" = "interrupt";
    computed {
        /// Whether a schema differs from the default.
        ///
        /// Compared and not remembered, so that a dumped and reloaded step stays what it was.
        pub has_explicit_contract: bool
    }
    before legacy_shape;
    after compare_contract;
}

/// The schema that takes any object.
fn default_schema() -> SchemaRef {
    SchemaRef(Object::from_iter([("type", Value::from("object")), ("additionalProperties", Value::Bool(true))]))
}

fn compare_contract(mut step: InterruptStep, _: &mut Reader) -> InterruptStep {
    let default = default_schema();
    step.has_explicit_contract = step.request_schema != default || step.resume_schema != default;
    step
}

fn legacy_shape<'v>(value: &'v Value, reader: &mut Reader) -> Option<Cow<'v, Value>> {
    canonical_bindings(
        value,
        reader,
        "request/resume",
        &[("request_map", Conversion::PathToTarget("request")), ("out_map", Conversion::SourceToTarget("resume"))],
    )
}

/// The schema of a payload, kept exactly as it is written.
#[derive(Clone, Copy, Debug)]
struct PayloadSchema;

impl Codec<SchemaRef> for PayloadSchema {
    fn read(value: &Value, reader: &mut Reader) -> Option<SchemaRef> {
        let Value::Object(schema) = value else {
            reader.problem("schema.type", format!("{} must be a JSON Schema object", reader.field_name()));
            return None;
        };
        super::metaschema::check(schema, reader)?;
        if schema.get("type").and_then(Value::as_str) != Some("object") {
            reader.hinted_problem(
                "schema.not_object",
                format!("{} must describe a JSON object", reader.field_name()),
                Some(r#"set "type": "object""#.to_owned()),
            );
            return None;
        }
        Some(SchemaRef(schema.clone()))
    }

    fn write(part: &SchemaRef) -> Value {
        Value::Object(part.0.clone())
    }

    fn schema(definitions: &mut Definitions) -> Value {
        Object::schema(definitions)
    }
}
