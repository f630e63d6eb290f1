//! Small rules as functions: paging, search, hashes, ids, documentation.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use wf_core::value::Value;
use wf_platform::artifact::check_stored_id;
use wf_platform::documentation::{DocumentationPrompt, DocumentationResource, build_documentation_source};
use wf_platform::hash::{hash_contract, hash_json_schema};
use wf_platform::inventory::SOURCE_PREVIEW_LIMIT;
use wf_platform::listing::matches_query;
use wf_platform::page::page_range;

use super::error::OrRaise;
use super::handle::Handle;
use super::source::{PyCapabilitySource, document_of, id_of};
use crate::convert::{Instances, to_value};

/// The bounds of a page, and the cursor of the page after it.
#[pyfunction]
#[pyo3(name = "page_range", signature = (total, *, cursor = None, limit = 50))]
fn range(py: Python<'_>, total: usize, cursor: Option<&str>, limit: i64) -> PyResult<(usize, usize, Option<String>)> {
    let (range, next) = page_range(total, cursor, limit).or_raise(py)?;
    Ok((range.start, range.end, next.map(|next| next.to_string())))
}

/// Whether any of the texts contains the query, whatever the case; no query, or a blank one, finds everything.
#[pyfunction]
#[pyo3(name = "matches_query", signature = (*values, query))]
fn matches(values: &Bound<'_, PyTuple>, query: Option<&str>) -> PyResult<bool> {
    let values: Vec<Option<String>> = values.extract()?;
    Ok(matches_query(values.iter().map(Option::as_deref), query))
}

fn schema_of(schema: &Bound<'_, PyAny>) -> PyResult<Value> {
    to_value(schema, Instances::Dump).map_err(|error| error.into_exception(schema.py(), Some("schema")))
}

/// The hash of a JSON Schema as a text: any difference shows.
#[pyfunction]
#[pyo3(name = "hash_json_schema", signature = (schema, /))]
fn schema_hash(schema: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(hash_json_schema(&schema_of(schema)?).to_string())
}

/// The hash of what a JSON Schema promises: titles and descriptions do not count.
#[pyfunction]
#[pyo3(name = "hash_contract_schema", signature = (schema, /))]
fn contract_hash(schema: &Bound<'_, PyAny>) -> PyResult<String> {
    let value = schema_of(schema)?;
    let hash = value.as_object().map_or_else(|| hash_json_schema(&value), hash_contract);
    Ok(hash.to_string())
}

/// Checks a source id and answers it.
#[pyfunction]
#[pyo3(signature = (id, /))]
fn validate_source_id(py: Python<'_>, id: &str) -> PyResult<String> {
    Ok(id_of(py, id)?.to_string())
}

/// Whether a source id belongs to the platform.
#[pyfunction]
#[pyo3(signature = (id, /))]
fn is_reserved_source_id(py: Python<'_>, id: &str) -> PyResult<bool> {
    Ok(id_of(py, id)?.is_reserved())
}

/// Checks an id that a store uses as a key and as a path component, and answers it.
#[pyfunction]
#[pyo3(signature = (field, id, /))]
fn validate_stored_id(py: Python<'_>, field: &str, id: String) -> PyResult<String> {
    // The field is part of the message only; the few that exist live as long as the process.
    let field = match field {
        "artifact_id" => "artifact_id",
        "deployment_id" => "deployment_id",
        "run_id" => "run_id",
        _ => "id",
    };
    check_stored_id(field, &id).or_raise(py)?;
    Ok(id)
}

/// The source `wf.docs` with these manuals and guides.
#[pyfunction]
#[pyo3(name = "build_documentation_source", signature = (resources, *, prompts = None))]
fn documentation_source(
    resources: &Bound<'_, PyAny>,
    prompts: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyCapabilitySource> {
    let mut manuals: Vec<(DocumentationResource, Option<Handle>)> = Vec::new();
    for resource in resources.try_iter()? {
        let resource = resource?;
        manuals.push((document_of(&resource)?, Some(Handle::new(resource))));
    }
    let mut guides: Vec<(DocumentationPrompt, Option<Handle>)> = Vec::new();
    if let Some(prompts) = prompts {
        for prompt in prompts.try_iter()? {
            let prompt = prompt?;
            guides.push((document_of(&prompt)?, Some(Handle::new(prompt))));
        }
    }
    Ok(PyCapabilitySource::of(build_documentation_source(manuals, guides)))
}

/// Registers the functions of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("SOURCE_PREVIEW_LIMIT", SOURCE_PREVIEW_LIMIT)?;
    module.add_function(wrap_pyfunction!(range, module)?)?;
    module.add_function(wrap_pyfunction!(matches, module)?)?;
    module.add_function(wrap_pyfunction!(schema_hash, module)?)?;
    module.add_function(wrap_pyfunction!(contract_hash, module)?)?;
    module.add_function(wrap_pyfunction!(validate_source_id, module)?)?;
    module.add_function(wrap_pyfunction!(is_reserved_source_id, module)?)?;
    module.add_function(wrap_pyfunction!(validate_stored_id, module)?)?;
    module.add_function(wrap_pyfunction!(documentation_source, module)?)
}
