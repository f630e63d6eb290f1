//! What the platform needs to know of the objects in a bucket.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wf_core::document::{NodeDef, ReducerSpec};
use wf_core::value::Object;
use wf_platform::capability::{NodeContract, PromptContract, ResourceContract, ToolContract};
use wf_platform::documentation::{DocumentationPrompt, DocumentationResource};
use wf_platform::inventory::NodeSpecInventory;

use crate::convert::{Instances, to_object};
use crate::document::{PyDocument, data};

/// The contract of a node spec: an object with `to_node_def`, or an inventory of one.
pub(super) fn node_contract(name: &str, object: &Bound<'_, PyAny>) -> PyResult<NodeContract> {
    if let Ok(document) = object.cast::<PyDocument>()
        && let Ok(inventory) = data::<NodeSpecInventory>(document)
    {
        return Ok(NodeSpecInventory { name: name.into(), ..inventory.clone() }.contract());
    }
    let Ok(to_node_def) = object.getattr("to_node_def") else {
        return Err(wrong("NodeSpec", "node_specs", name, object));
    };
    let made = to_node_def.call0()?;
    let def = data::<NodeDef>(made.cast::<PyDocument>()?)?;
    let mut contract =
        NodeContract::new(NodeDef { name: name.into(), ..def.clone() }).with_description(text(object, "description")?);
    contract.is_async = flag(object, "is_async")?.unwrap_or(contract.is_async);
    contract.accepts_context = flag(object, "accepts_context")?.unwrap_or(contract.accepts_context);
    Ok(contract)
}

/// The contract of a reducer: a `ReducerSpec`, or an object that has one as `spec` or `definition.spec`.
pub(super) fn reducer_contract(name: &str, object: &Bound<'_, PyAny>) -> PyResult<ReducerSpec> {
    let spec_of = |object: &Bound<'_, PyAny>| -> Option<ReducerSpec> {
        data::<ReducerSpec>(object.cast::<PyDocument>().ok()?).ok().cloned()
    };
    let spec = spec_of(object)
        .or_else(|| spec_of(&object.getattr("spec").ok()?))
        .or_else(|| spec_of(&object.getattr("definition").ok()?.getattr("spec").ok()?))
        .ok_or_else(|| wrong("ReducerSpec, ReducerDefinition or AuthoredReducer", "reducers", name, object))?;
    Ok(ReducerSpec { name: name.into(), ..spec })
}

/// The contract of a tool: whatever of `title`, `description`, `input_schema` and `output_schema` there is.
pub(super) fn tool_contract(object: &Bound<'_, PyAny>) -> PyResult<ToolContract> {
    Ok(ToolContract {
        title: text(object, "title")?,
        description: text(object, "description")?,
        input_schema: schema(object, "input_schema")?,
        output_schema: schema(object, "output_schema")?,
        meta: Object::new(),
    })
}

/// The contract of a prompt.
pub(super) fn prompt_contract(object: &Bound<'_, PyAny>) -> PyResult<PromptContract> {
    if let Ok(document) = object.cast::<PyDocument>()
        && let Ok(prompt) = data::<DocumentationPrompt>(document)
    {
        return Ok(prompt.contract());
    }
    Ok(PromptContract {
        title: text(object, "title")?,
        description: text(object, "description")?,
        text: text(object, "text")?,
        meta: Object::new(),
    })
}

/// The contract of a resource.
pub(super) fn resource_contract(object: &Bound<'_, PyAny>) -> PyResult<ResourceContract> {
    if let Ok(document) = object.cast::<PyDocument>()
        && let Ok(resource) = data::<DocumentationResource>(document)
    {
        return Ok(resource.contract());
    }
    Ok(ResourceContract {
        uri: text(object, "uri")?.unwrap_or_default(),
        title: text(object, "title")?,
        description: text(object, "description")?,
        mime_type: text(object, "mime_type")?,
        text: text(object, "text")?,
        meta: Object::new(),
    })
}

fn wrong(expected: &str, bucket: &str, name: &str, object: &Bound<'_, PyAny>) -> PyErr {
    let found = object.get_type().name().map_or_else(|_| "an object".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {expected} in {bucket}[{name:?}], got {found}"))
}

/// An attribute of the object, or an entry of the dict; nothing when it is not there or `None`.
fn part<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    let found = match object.cast::<PyDict>() {
        Ok(dict) => dict.get_item(name)?,
        Err(_) => object.getattr_opt(name)?,
    };
    Ok(found.filter(|found| !found.is_none()))
}

fn text(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<Arc<str>>> {
    // Only a text counts: an unrelated attribute of the same name, such as a method, says nothing.
    Ok(part(object, name)?.and_then(|found| found.extract::<String>().ok()).map(Into::into))
}

fn flag(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<bool>> {
    part(object, name)?.map(|found| found.extract::<bool>()).transpose()
}

fn schema(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<Object>> {
    let Some(found) = part(object, name)? else { return Ok(None) };
    to_object(&found, Instances::Dump).map_err(|error| error.into_exception(object.py(), Some(name)))
}
