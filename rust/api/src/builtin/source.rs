//! `wf.source.read_resource`: the node that dereferences a resource ref.

use std::sync::Arc;

use wf_core::document::{Document as _, NodeResult};
use wf_core::value::{Object, Value};
use wf_platform::resource_ref::SourceResourceRef;

use crate::handler::{AsyncNodeHandler, HandlerError, HandlerFuture, HandlerResult, NodeContext};
use crate::resource::{ReadBounds, ResourceError, read_resource};
use crate::std_nodes::payload::{invalid, required};

/// Reads what a resource ref points to, through the run's platform context and within bounds.
#[derive(Clone, Copy, Debug)]
pub struct ReadResource;

impl AsyncNodeHandler for ReadResource {
    fn call<'a>(&'a self, input: &'a Object, context: NodeContext<'a>) -> HandlerFuture<'a> {
        Box::pin(async move { execute(input, context).await })
    }
}

async fn execute(input: &Object, context: NodeContext<'_>) -> HandlerResult {
    let reference =
        SourceResourceRef::parse(required(input, "ref")?).map_err(|error| invalid(format!("`ref`: {error}")))?;
    let bounds = bounds(input)?;
    let SourceResourceRef { logical_source, uri, mime_type, .. } = reference;
    let output = read_resource(context.platform, &logical_source, uri, mime_type, bounds).await?;
    Ok(NodeResult {
        outcome: Arc::from("ok"),
        output: output.dump().as_object().cloned().unwrap_or_default(),
        meta: Object::new(),
        extra: Vec::new(),
    })
}

/// The bounds in a payload; those that are absent have their defaults.
fn bounds(input: &Object) -> Result<ReadBounds, HandlerError> {
    let max_chars =
        number(input, "max_chars", "1 to 20000", ReadBounds::DEFAULT_MAX_CHARS, ReadBounds::LARGEST_MAX_CHARS)?;
    let offset = number(input, "offset", "at least 0", 0, usize::MAX)?;
    let blob = number(input, "max_blob_bytes", "0 to 1000000", 0, ReadBounds::LARGEST_BLOB_BYTES)?;
    let offset = u64::try_from(offset).unwrap_or(u64::MAX);
    Ok(ReadBounds::new(max_chars)?.at_offset(offset).with_blob_bytes(blob))
}

fn number(
    input: &Object,
    name: &'static str,
    expected: &'static str,
    default: usize,
    largest: usize,
) -> Result<usize, ResourceError> {
    let Some(value) = input.get(name) else { return Ok(default) };
    whole(value)
        .and_then(|number| usize::try_from(number).ok())
        .filter(|number| *number <= largest)
        .ok_or_else(|| ResourceError::BoundsInvalid { name, expected, got: value.repr() })
}

/// The integer that a value is; to JSON Schema, `5.0` is one as well.
fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        #[expect(clippy::cast_possible_truncation, reason = "the range was checked")]
        Value::Float(number) if number.fract() == 0.0 && number.abs() < 1e15 => Some(*number as i64),
        _ => None,
    }
}
