//! Expressions.

use pyo3::prelude::*;
use wf_core::document::{ArrayExpression, LiteralExpression, ObjectExpression, PathExpression};

use crate::document::register_class;
use crate::document_class;

document_class! {
    /// A literal.
    class PyLiteralExpression("LiteralExpression", "wf_core.models.input_bindings") of LiteralExpression {
        tag: "kind" = "literal",
        fields: [value],
    }
}

document_class! {
    /// What a path holds.
    class PyPathExpression("PathExpression", "wf_core.models.input_bindings") of PathExpression {
        tag: "kind" = "path",
        fields: [path],
    }
}

document_class! {
    /// A list of expressions.
    class PyArrayExpression("ArrayExpression", "wf_core.models.input_bindings") of ArrayExpression {
        tag: "kind" = "array",
        fields: [items],
    }
}

document_class! {
    /// An object of expressions.
    class PyObjectExpression("ObjectExpression", "wf_core.models.input_bindings") of ObjectExpression {
        tag: "kind" = "object",
        fields: [fields],
    }
}

/// Registers the classes of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PyLiteralExpression>(module, PyLiteralExpression::INFO)?;
    register_class::<PyPathExpression>(module, PyPathExpression::INFO)?;
    register_class::<PyArrayExpression>(module, PyArrayExpression::INFO)?;
    register_class::<PyObjectExpression>(module, PyObjectExpression::INFO)
}
