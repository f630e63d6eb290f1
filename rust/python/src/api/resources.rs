//! Bounds and payloads of resource reads.

use std::sync::Arc;

use pyo3::prelude::*;
use wf_api::resource::{ReadBounds, ReadRequest, ResourceError, ResourcePayload, bound_payload};
use wf_core::document::Document as _;
use wf_core::value::Value;

use super::errors::resource_error;
use crate::convert::{Instances, to_value, value_to_python};

/// Registers the functions of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("DEFAULT_MAX_CHARS", ReadBounds::DEFAULT_MAX_CHARS)?;
    module.add("LARGEST_MAX_CHARS", ReadBounds::LARGEST_MAX_CHARS)?;
    module.add("LARGEST_BLOB_BYTES", ReadBounds::LARGEST_BLOB_BYTES)?;
    module.add_function(wrap_pyfunction!(check_bounds, module)?)?;
    module.add_function(wrap_pyfunction!(unpaged_max_chars, module)?)?;
    module.add_function(wrap_pyfunction!(bounded, module)?)
}

/// Bounds as Python numbers, which may be out of range in every way.
#[derive(Clone, Copy, FromPyObject)]
pub(super) struct RawBounds(i64, i64, i64);

impl RawBounds {
    /// The bounds, if they are within their ranges.
    pub(super) fn check(self) -> Result<ReadBounds, ResourceError> {
        let Self(max_chars, offset, max_blob_bytes) = self;
        let invalid = |name, expected, got: i64| ResourceError::BoundsInvalid { name, expected, got: got.to_string() };
        let max_chars = usize::try_from(max_chars).map_err(|_| invalid("max_chars", "at least 1", max_chars))?;
        let offset = u64::try_from(offset).map_err(|_| invalid("offset", "at least 0", offset))?;
        let max_blob_bytes =
            usize::try_from(max_blob_bytes).map_err(|_| invalid("max_blob_bytes", "at least 0", max_blob_bytes))?;
        Ok(ReadBounds::new(max_chars)?.at_offset(offset).with_blob_bytes(max_blob_bytes))
    }
}

/// Refuses bounds that are out of range.
#[pyfunction]
#[pyo3(signature = (bounds, /))]
fn check_bounds(py: Python<'_>, bounds: RawBounds) -> PyResult<()> {
    bounds.check().map(|_| ()).map_err(|error| resource_error(py, &error))
}

/// How many characters to ask for from a reader that always starts at the beginning.
#[pyfunction]
#[pyo3(signature = (source_id, uri, bounds, /))]
fn unpaged_max_chars(py: Python<'_>, source_id: &str, uri: &str, bounds: RawBounds) -> PyResult<usize> {
    let checked = bounds.check().and_then(|bounds| {
        bounds.from_the_beginning().ok_or_else(|| ResourceError::PagingUnsupported {
            source_id: Arc::from(source_id),
            uri: Arc::from(uri),
            offset: bounds.offset(),
        })
    });
    checked.map(|bounds| bounds.max_chars()).map_err(|error| resource_error(py, &error))
}

/// Checks the payload that a reader answered and cuts it down to the bounds.
#[pyfunction]
#[pyo3(signature = (payload, source_id, uri, mime_type, bounds, /))]
fn bounded<'py>(
    payload: &Bound<'py, PyAny>,
    source_id: &str,
    uri: &str,
    mime_type: Option<&str>,
    bounds: RawBounds,
) -> PyResult<Bound<'py, PyAny>> {
    let py = payload.py();
    let output = (|| {
        let request = ReadRequest { source_id: Arc::from(source_id), uri: Arc::from(uri), bounds: bounds.check()? };
        let payload = ResourcePayload::parse(&payload_value(payload, &request)?, &request)?;
        bound_payload(&payload, &request, mime_type.map(Arc::from))
    })()
    .map_err(|error| resource_error(py, &error))?;
    value_to_python(py, &output.dump())
}

/// What a Python reader answered, as a value.
pub(super) fn payload_value(payload: &Bound<'_, PyAny>, request: &ReadRequest) -> Result<Value, ResourceError> {
    to_value(payload, Instances::Dump).map_err(|error| {
        let place = error.place();
        let problem = if place.is_empty() { error.message() } else { format!("`{place}`: {}", error.message()) };
        ResourceError::PayloadMalformed { source_id: request.source_id.clone(), uri: request.uri.clone(), problem }
    })
}
