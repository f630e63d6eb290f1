//! What is said of the built-in sources, so that Python says the same.

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use wf_api::builtin::{MCP_SOURCE_ID, RECIPE_SOURCE_ID, SOURCE_SOURCE_ID, STD_SOURCE_ID, builtin_sources};
use wf_core::document::Document as _;
use wf_core::value::{Object, Value};
use wf_platform::capability::SchemaSide;
use wf_platform::inventory::SourceInventory;

use crate::convert::value_to_python;

/// Registers the functions of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("STD_SOURCE_ID", STD_SOURCE_ID)?;
    module.add("RECIPE_SOURCE_ID", RECIPE_SOURCE_ID)?;
    module.add("SOURCE_SOURCE_ID", SOURCE_SOURCE_ID)?;
    module.add("MCP_SOURCE_ID", MCP_SOURCE_ID)?;
    module.add_function(wrap_pyfunction!(builtin_inventories, module)?)?;
    module.add_function(wrap_pyfunction!(builtin_contract, module)?)
}

/// The inventories of all built-in sources, in the order in which servers register them.
#[pyfunction]
fn builtin_inventories(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for source in builtin_sources(|_| ()) {
        list.append(value_to_python(py, &SourceInventory::of(&source).dump())?)?;
    }
    Ok(list)
}

/// The contract of a built-in node: description, outcomes and both schemas.
#[pyfunction]
#[pyo3(signature = (qualified_name, /))]
fn builtin_contract<'py>(py: Python<'py>, qualified_name: &str) -> PyResult<Bound<'py, PyAny>> {
    let sources = builtin_sources(|_| ());
    let entry = sources.iter().find_map(|source| source.capabilities().node_specs.get(qualified_name));
    let contract = entry
        .map(wf_platform::capability::Entry::contract)
        .ok_or_else(|| PyKeyError::new_err(format!("there is no built-in node `{qualified_name}`")))?;
    let outcomes: Vec<Value> = contract.def.outcomes.iter().map(|outcome| outcome.clone().into()).collect();
    let mut object = Object::with_capacity(4);
    object.insert("description", contract.description.clone());
    object.insert("outcomes", outcomes);
    object.insert("input_schema", contract.schema(SchemaSide::Input).clone());
    object.insert("output_schema", contract.schema(SchemaSide::Output).clone());
    value_to_python(py, &object.into())
}
