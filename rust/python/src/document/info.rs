//! What the base class knows of each document class.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use wf_core::document::{Document, DocumentError, View};
use wf_core::value::Value;

use crate::error::{Class, Exception, raised};

/// A document's Rust value; only its class knows the type.
pub(crate) type Payload = Arc<dyn Any + Send + Sync>;

/// A document class: its name, its fields, and what can be done with its values.
pub(crate) struct ClassInfo {
    /// The class's name in Python.
    pub(crate) name: &'static str,
    /// The attributes in document order.
    pub(crate) attributes: &'static [&'static str],
    /// Attributes whose key in JSON differs: `(attribute, key)`.
    pub(crate) aliases: &'static [(&'static str, &'static str)],
    /// Makes the Python object of a value.
    pub(crate) create: for<'py> fn(Python<'py>, Payload) -> PyResult<Bound<'py, PyAny>>,
    /// What the Rust type can do.
    pub(crate) kind: Kind,
}

/// A document type, without the type.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) parse: fn(&Value) -> Result<Payload, DocumentError>,
    pub(crate) schema: fn() -> Value,
    pub(crate) dump: fn(&Payload) -> Value,
    pub(crate) equals: fn(&Payload, &Payload) -> bool,
    pub(crate) field: fn(&Payload, &str) -> Option<View>,
    /// A value of this type that stands in another document.
    pub(crate) adopt: fn(&dyn Any) -> Option<Payload>,
}

impl Kind {
    /// What `T` can do.
    pub(crate) const fn of<T: Document>() -> Self {
        Self {
            parse: |value| Ok(Arc::new(T::parse(value)?)),
            schema: T::json_schema,
            dump: |payload| held::<T>(payload).dump(),
            equals: |one, other| held::<T>(one) == held::<T>(other),
            field: |payload, name| held::<T>(payload).field(name),
            adopt: |document| Some(Arc::new(document.downcast_ref::<T>()?.clone())),
        }
    }
}

/// The value behind a payload.
pub(crate) fn held<T: 'static>(payload: &Payload) -> &T {
    payload.downcast_ref().expect("a class and its value are always made together")
}

/// The classes, by the address of their type object and by name.
static CLASSES: RwLock<Option<Classes>> = RwLock::new(None);

#[derive(Default)]
struct Classes {
    by_type: HashMap<usize, &'static ClassInfo>,
    by_name: HashMap<&'static str, &'static ClassInfo>,
}

/// Adds a document class to its module and makes it known to the base class.
pub(crate) fn register_class<T: pyo3::PyClass>(module: &Bound<'_, PyModule>, info: &'static ClassInfo) -> PyResult<()> {
    module.add_class::<T>()?;
    let class = module.py().get_type::<T>();
    let mut classes = CLASSES.write().unwrap_or_else(PoisonError::into_inner);
    let classes = classes.get_or_insert_default();
    classes.by_type.insert(class.as_ptr() as usize, info);
    classes.by_name.insert(info.name, info);
    Ok(())
}

/// The document class that `class` is, or extends.
pub(crate) fn info_of(class: &Bound<'_, PyType>) -> PyResult<&'static ClassInfo> {
    if let Some(classes) = CLASSES.read().unwrap_or_else(PoisonError::into_inner).as_ref() {
        for ancestor in class.mro() {
            if let Some(info) = classes.by_type.get(&(ancestor.as_ptr() as usize)) {
                return Ok(info);
            }
        }
    }
    Err(PyTypeError::new_err(format!("`{}` is no document class of its own", class.name()?)))
}

/// The document class of that name.
pub(crate) fn info_named(name: &str) -> Option<&'static ClassInfo> {
    CLASSES.read().unwrap_or_else(PoisonError::into_inner).as_ref()?.by_name.get(name).copied()
}

/// The exception of a document that does not have the right form.
pub(crate) fn document_error(py: Python<'_>, error: &DocumentError) -> PyErr {
    raised((|| {
        let problems: Vec<_> = error
            .problems
            .iter()
            .map(|problem| (problem.code, problem.path.as_str(), problem.message.as_str(), problem.hint.as_deref()))
            .collect();
        let first = problems.first();
        Exception::new(py, Class::Document, error.to_string())?
            .with("code", first.map_or("document.invalid", |problem| problem.0))?
            .with("path", first.map_or("", |problem| problem.1))?
            .with("document", error.document)?
            .with("problems", &problems)?
            .build()
    })())
}
