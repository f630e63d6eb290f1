//! Documents as Python classes.
//!
//! All document classes extend one base, [`PyDocument`], which holds the Rust value and has every method that
//! documents share. A class of its own adds its name, its constructor and its typed attributes; the macro
//! [`document_class!`](crate::document_class) writes it. The base finds what it must know of a class in its
//! [`ClassInfo`].

mod base;
mod dump;
mod hash;
mod info;
mod macros;
mod show;

pub(crate) use base::{PyDocument, data, extra_attribute, shared};
pub(crate) use dump::document_names;
pub(crate) use info::{ClassInfo, Kind, Payload, document_error, held, register_class};
pub(crate) use show::show;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use wf_core::value::Value;

use crate::convert::{Instances, NotJson, Problem, to_value};

/// A class whose objects keep something that is not part of the document, such as a cache.
pub(crate) trait Keeps {
    /// What they keep.
    type Kept;

    /// What this object keeps.
    fn kept(&self) -> &Self::Kept;
}

/// Whether an object is a document or a pydantic model: something that has a JSON form of its own.
pub(crate) fn is_instance(object: &Bound<'_, PyAny>) -> bool {
    object.cast::<PyDocument>().is_ok() || object.get_type().hasattr("model_dump").unwrap_or(false)
}

/// The JSON form of a document or a pydantic model, by alias.
pub(crate) fn dump_instance(object: &Bound<'_, PyAny>) -> Result<Value, NotJson> {
    if let Ok(document) = object.cast::<PyDocument>() {
        return Ok(document.get().dump());
    }
    let py = object.py();
    let dumped = (|| {
        let options = PyDict::new(py);
        options.set_item("mode", "json")?;
        options.set_item("by_alias", true)?;
        object.call_method("model_dump", (), Some(&options))
    })()
    .map_err(|cause| NotJson::new(Problem::Model, object).caused_by(cause))?;
    to_value(&dumped, Instances::Refuse)
}
