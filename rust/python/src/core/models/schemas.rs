//! JSON Schemas in documents.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PySet};
use wf_core::document::{SchemaRef, StateField, StateFieldShorthand, StateSchema};
use wf_core::value::{Object, Value};

use crate::convert::{Instances, to_value};
use crate::document::{data, document_error, extra_attribute, register_class, show};
use crate::document_class;

document_class! {
    /// A JSON Schema, checked against its metaschema and kept in canonical form.
    class PySchemaRef("SchemaRef", "wf_core.models.schemas") of SchemaRef {
        fields: [title, kind: "type", properties, required],
        methods: {
            fn __getattr__<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
                extra_attribute(slf.as_super(), name)
            }
        },
    }
}

document_class! {
    /// The schema of the state: a JSON Schema whose properties may carry `reducer`, `trace` and `default`.
    class PyStateSchema("StateSchema", "wf_core.models.schemas") of StateSchema {
        fields: [title, kind: "type", properties, required],
        methods: {
            /// Builds the schema from fields by their dotted names.
            #[staticmethod]
            #[pyo3(signature = (fields, /))]
            fn from_field_map<'py>(fields: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
                let py = fields.py();
                let fields = to_value(fields, Instances::Dump).map_err(|error| error.into_exception(py, None))?;
                let document = Value::Object(Object::from_iter([("fields", fields)]));
                let schema: StateSchema =
                    wf_core::document::Document::parse(&document).map_err(|error| document_error(py, &error))?;
                show(py, schema)
            }

            /// The declared fields by their path.
            fn field_index<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
                let py = slf.py();
                let index = PyDict::new(py);
                for field in data::<StateSchema>(slf.as_super())?.fields() {
                    index.set_item(show(py, field.path.clone())?, show(py, field.clone())?)?;
                }
                Ok(index)
            }

            /// The declared fields by their dotted name, without `state.`.
            fn field_map<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
                let py = slf.py();
                let map = PyDict::new(py);
                for field in data::<StateSchema>(slf.as_super())?.fields() {
                    let parts: Vec<&str> = field.path.parts().iter().map(|part| &**part).collect();
                    map.set_item(parts.join("."), show(py, field.clone())?)?;
                }
                Ok(map)
            }

            /// The declared fields, parents before their children.
            #[getter]
            fn fields<'py>(slf: &Bound<'py, Self>) -> PyResult<Vec<Bound<'py, PyAny>>> {
                let fields = data::<StateSchema>(slf.as_super())?.fields();
                fields.iter().map(|field| show(slf.py(), field.clone())).collect()
            }

            /// The names of the top-level properties.
            fn root_fields<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PySet>> {
                let schema = data::<StateSchema>(slf.as_super())?.as_object();
                let names = PySet::empty(slf.py())?;
                if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
                    for name in properties.keys() {
                        names.add(&**name)?;
                    }
                }
                Ok(names)
            }

            fn __getattr__<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
                extra_attribute(slf.as_super(), name)
            }
        },
    }
}

document_class! {
    /// One declared place of the state.
    class PyStateFieldDecl("StateFieldDecl", "wf_core.models.schemas") of StateField {
        fields: [path, validation_schema = "schema", reducer, trace, default],
        methods: {
            /// The schema's type, when it is a single one.
            #[getter]
            fn r#type(slf: &Bound<'_, Self>) -> PyResult<Option<String>> {
                let schema = data::<StateField>(slf.as_super())?.schema.as_object();
                Ok(schema.get("type").and_then(Value::as_str).map(String::from))
            }
        },
    }
}

document_class! {
    /// A place of the state in short: one type, and how writes to it merge.
    class PyStateField("StateField", "wf_core.models.schemas") of StateFieldShorthand {
        fields: [kind: "type", reducer, trace, default],
    }
}

/// Registers the classes of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PySchemaRef>(module, PySchemaRef::INFO)?;
    register_class::<PyStateSchema>(module, PyStateSchema::INFO)?;
    register_class::<PyStateFieldDecl>(module, PyStateFieldDecl::INFO)?;
    register_class::<PyStateField>(module, PyStateField::INFO)
}
