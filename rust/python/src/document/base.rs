//! The base of all document classes.

use std::sync::Arc;

use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple, PyType};
use wf_core::value::{Object, Value};

use super::dump::{self, Filter};
use super::hash::hash_value;
use super::info::{ClassInfo, Payload, document_error, info_of};
use super::show::show_view;
use crate::convert::{Instances, NotJson, to_value, value_to_python};
use crate::error::{Class, Exception, raised};

/// A document: an immutable value with a JSON form.
#[pyclass(name = "Document", module = "wf_core.models", frozen, subclass)]
pub(crate) struct PyDocument {
    value: Payload,
    info: &'static ClassInfo,
}

/// The Rust value behind a document object.
pub(crate) fn data<'a, T: 'static>(document: &'a Bound<'_, PyDocument>) -> PyResult<&'a T> {
    document.get().value.downcast_ref::<T>().ok_or_else(|| other_value(document.get()))
}

/// The Rust value behind a document object, shared.
pub(crate) fn shared<T: Send + Sync + 'static>(document: &Bound<'_, PyDocument>) -> PyResult<Arc<T>> {
    Arc::clone(&document.get().value).downcast::<T>().map_err(|_| other_value(document.get()))
}

/// A key that a document keeps without declaring it, as an attribute.
pub(crate) fn extra_attribute<'py>(document: &Bound<'py, PyDocument>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    // Python itself asks for names with underscores all the time; no document has such keys.
    if !name.starts_with("__")
        && let Value::Object(fields) = document.get().dump()
        && let Some(value) = fields.get(name)
    {
        return value_to_python(document.py(), value);
    }
    let class = document.get().info.name;
    Err(PyAttributeError::new_err(format!("'{class}' object has no attribute '{name}'")))
}

#[cold]
fn other_value(document: &PyDocument) -> PyErr {
    PyTypeError::new_err(format!("`{}` does not hold the expected value", document.info.name))
}

impl PyDocument {
    /// The base part of a document object.
    pub(crate) fn new(value: Payload, info: &'static ClassInfo) -> Self {
        Self { value, info }
    }

    /// The class.
    pub(crate) fn info(&self) -> &'static ClassInfo {
        self.info
    }

    /// The canonical JSON form.
    pub(crate) fn dump(&self) -> Value {
        (self.info.kind.dump)(&self.value)
    }

    /// The Python object of a field.
    pub(crate) fn field<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        match (self.info.kind.field)(&self.value, key) {
            Some(view) => show_view(py, &view),
            None => Err(PyAttributeError::new_err(format!("`{}` has no field `{key}`", self.info.name))),
        }
    }

    /// Reads the keywords of a constructor.
    pub(crate) fn from_keywords(
        py: Python<'_>,
        info: &'static ClassInfo,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let value = match keywords {
            None => Value::Object(Object::new()),
            Some(keywords) => to_value(keywords, Instances::Dump).map_err(|error| not_json(py, info, &error))?,
        };
        let value = (info.kind.parse)(&value).map_err(|error| document_error(py, &error))?;
        Ok(Self { value, info })
    }
}

/// A Python value that could not be read at all, as a problem of the document it was meant for.
fn not_json(py: Python<'_>, info: &ClassInfo, error: &NotJson) -> PyErr {
    raised((|| {
        let message = error.message();
        let problems = [(error.code(), error.place(), message.as_str(), error.hint())];
        let exception = Exception::new(py, Class::Document, format!("invalid `{}`: {message}", info.name))?
            .with("code", error.code())?
            .with("path", error.place())?
            .with("hint", error.hint())?
            .with("document", info.name)?
            .with("problems", &problems)?
            .build()?;
        exception.set_cause(py, error.cause().map(|cause| cause.clone_ref(py)));
        Ok(exception)
    })())
}

/// Reads `object` as a document of the class.
fn validate<'py>(class: &Bound<'py, PyType>, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = class.py();
    if object.is_instance(class)? {
        return Ok(object.clone());
    }
    let info = info_of(class)?;
    let value = to_value(object, Instances::Dump).map_err(|error| not_json(py, info, &error))?;
    parsed(py, info, &value)
}

fn parsed<'py>(py: Python<'py>, info: &ClassInfo, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    let document = (info.kind.parse)(value).map_err(|error| document_error(py, &error))?;
    (info.create)(py, document)
}

#[pymethods]
impl PyDocument {
    /// Reads a document from plain data.
    #[classmethod]
    #[pyo3(signature = (obj, /))]
    fn model_validate<'py>(class: &Bound<'py, PyType>, obj: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        validate(class, obj)
    }

    /// Reads a document from JSON text.
    #[classmethod]
    #[pyo3(signature = (json_data, /))]
    fn model_validate_json<'py>(
        class: &Bound<'py, PyType>,
        json_data: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = class.py();
        let info = info_of(class)?;
        let parsed_text = if let Ok(text) = json_data.cast::<PyString>() {
            Value::parse_json(text.to_str()?.as_bytes())
        } else {
            Value::parse_json(json_data.cast::<PyBytes>()?.as_bytes())
        };
        let value = parsed_text.map_err(|error| dump::json_text_error(py, info, &error))?;
        parsed(py, info, &value)
    }

    /// The JSON Schema of the class's documents.
    #[classmethod]
    #[pyo3(signature = (*, by_alias = true, mode = "validation"))]
    fn model_json_schema<'py>(class: &Bound<'py, PyType>, by_alias: bool, mode: &str) -> PyResult<Bound<'py, PyAny>> {
        dump::check_schema_options(by_alias, mode)?;
        value_to_python(class.py(), &(info_of(class)?.kind.schema)())
    }

    /// The document as plain data.
    #[pyo3(signature = (*, mode = "python", include = None, exclude = None, by_alias = None, exclude_none = false))]
    fn model_dump<'py>(
        &self,
        py: Python<'py>,
        mode: &str,
        include: Option<&Bound<'py, PyAny>>,
        exclude: Option<&Bound<'py, PyAny>>,
        by_alias: Option<bool>,
        exclude_none: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        dump::check_mode(mode)?;
        let filter = Filter::new(include, exclude, by_alias.unwrap_or(false), exclude_none)?;
        value_to_python(py, &filter.apply(self))
    }

    /// The document as JSON text.
    #[pyo3(signature = (*, indent = None, include = None, exclude = None, by_alias = None, exclude_none = false))]
    fn model_dump_json(
        &self,
        indent: Option<usize>,
        include: Option<&Bound<'_, PyAny>>,
        exclude: Option<&Bound<'_, PyAny>>,
        by_alias: Option<bool>,
        exclude_none: bool,
    ) -> PyResult<String> {
        let filter = Filter::new(include, exclude, by_alias.unwrap_or(false), exclude_none)?;
        dump::to_text(&filter.apply(self), indent)
    }

    /// The document with some fields changed; the result is checked like any other document.
    #[pyo3(signature = (*, update = None, deep = false))]
    fn model_copy<'py>(
        slf: &Bound<'py, Self>,
        update: Option<&Bound<'py, PyDict>>,
        deep: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        // Documents are immutable: a deep copy and a shallow one are the document itself.
        let _ = deep;
        let py = slf.py();
        let Some(update) = update.filter(|update| !update.is_empty()) else {
            return Ok(slf.clone().into_any());
        };
        let document = slf.get();
        let info = document.info;
        let changes = to_value(update, Instances::Dump).map_err(|error| not_json(py, info, &error))?;
        let (Value::Object(mut fields), Value::Object(changes)) = (document.dump(), changes) else {
            return Err(PyTypeError::new_err(format!("`{}` has no fields to update", info.name)));
        };
        for (name, value) in &changes {
            let key = info.aliases.iter().find(|(attribute, _)| *attribute == name.as_ref());
            fields.insert(key.map_or_else(|| Arc::clone(name), |(_, key)| Arc::from(*key)), value.clone());
        }
        parsed(py, info, &Value::Object(fields))
    }

    #[classmethod]
    fn __get_pydantic_core_schema__<'py>(
        class: &Bound<'py, PyType>,
        source: &Bound<'py, PyAny>,
        handler: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        class.py().import("wf_core._pydantic")?.getattr("core_schema")?.call1((class, source, handler))
    }

    #[classmethod]
    fn __get_pydantic_json_schema__<'py>(
        class: &Bound<'py, PyType>,
        core_schema: &Bound<'py, PyAny>,
        handler: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        class.py().import("wf_core._pydantic")?.getattr("json_schema")?.call1((class, core_schema, handler))
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> Py<PyAny> {
        let py = other.py();
        let Ok(other) = other.cast::<Self>() else {
            return py.NotImplemented();
        };
        let equal = || {
            let other = other.get();
            std::ptr::eq(self.info, other.info) && (self.info.kind.equals)(&self.value, &other.value)
        };
        match op {
            CompareOp::Eq => pyo3::types::PyBool::new(py, equal()).to_owned().into_any().unbind(),
            CompareOp::Ne => pyo3::types::PyBool::new(py, !equal()).to_owned().into_any().unbind(),
            _ => py.NotImplemented(),
        }
    }

    fn __hash__(&self) -> u64 {
        hash_value(self.info.name, &self.dump())
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let info = slf.get().info;
        let mut text = format!("{}(", info.name);
        for (place, field) in info.attributes.iter().enumerate() {
            if place > 0 {
                text.push_str(", ");
            }
            text.push_str(field);
            text.push('=');
            text.push_str(&slf.getattr(*field)?.repr()?.to_string_lossy());
        }
        text.push(')');
        Ok(text)
    }

    fn __setattr__(slf: &Bound<'_, Self>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let _ = value;
        Err(frozen(slf, name))
    }

    fn __delattr__(slf: &Bound<'_, Self>, name: &str) -> PyResult<()> {
        Err(frozen(slf, name))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let dumped = value_to_python(slf.py(), &slf.get().dump())?;
        Ok((slf.get_type().getattr("model_validate")?, PyTuple::new(slf.py(), [dumped])?))
    }

    fn __copy__<'py>(slf: &Bound<'py, Self>) -> Bound<'py, Self> {
        slf.clone()
    }

    fn __deepcopy__<'py>(slf: &Bound<'py, Self>, memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        let _ = memo;
        slf.clone()
    }
}

fn frozen(slf: &Bound<'_, PyDocument>, name: &str) -> PyErr {
    let py = slf.py();
    let class = slf.get().info.name;
    raised((|| {
        Exception::new(py, Class::Frozen, format!("`{class}` is immutable; cannot set `{name}`"))?
            .with("path", name)?
            .with("hint", format!("`document.model_copy(update={{{name:?}: …}})` gives a changed copy"))?
            .build()
    })())
}
