//! Bounds and payloads of resource reads.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt};
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

/// Bounds as Python gives them, which may be wrong in every way.
#[derive(FromPyObject)]
pub(super) struct RawBounds(RawBound, RawBound, RawBound);

/// A number, or what stands in its place. One that is too large to count with is as good as the largest.
struct RawBound(Result<i64, String>);

impl<'py> FromPyObject<'_, 'py> for RawBound {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyBool>() || !object.is_instance_of::<PyInt>() {
            return Ok(Self(Err(format!("`{}`", object.get_type().name()?))));
        }
        Ok(Self(Ok(match object.extract() {
            Ok(number) => number,
            Err(_) if object.lt(0)? => i64::MIN,
            Err(_) => i64::MAX,
        })))
    }
}

impl RawBound {
    fn within<T: TryFrom<i64>>(self, name: &'static str, expected: &'static str) -> Result<T, ResourceError> {
        let invalid = |got| ResourceError::BoundsInvalid { name, expected, got };
        let number = self.0.map_err(invalid)?;
        T::try_from(number).map_err(|_| invalid(number.to_string()))
    }
}

impl RawBounds {
    /// The bounds, if they are within their ranges.
    pub(super) fn check(self) -> Result<ReadBounds, ResourceError> {
        let Self(max_chars, offset, max_blob_bytes) = self;
        Ok(ReadBounds::new(max_chars.within("max_chars", "at least 1")?)?
            .at_offset(offset.within("offset", "at least 0")?)
            .with_blob_bytes(max_blob_bytes.within("max_blob_bytes", "at least 0")?))
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
