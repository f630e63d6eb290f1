//! Bindings.

use pyo3::prelude::*;
use wf_core::document::{InputExpressionBinding, InputPathBinding, InputValueBinding, OutputBinding};

use crate::document::register_class;
use crate::document_class;

document_class! {
    /// Fills one place of a payload with what a path holds.
    class PyInputPathBinding("InputPathBinding", "wf_core.models.steps") of InputPathBinding {
        fields: [target, path],
    }
}

document_class! {
    /// Fills one place of a payload with a literal.
    class PyInputValueBinding("InputValueBinding", "wf_core.models.steps") of InputValueBinding {
        fields: [target, value],
    }
}

document_class! {
    /// Fills one place of a payload with a value built from literals and paths.
    class PyInputExpressionBinding("InputExpressionBinding", "wf_core.models.input_bindings")
        of InputExpressionBinding {
        fields: [target, expression],
    }
}

document_class! {
    /// Writes one place of an output into the state.
    class PyOutputBinding("OutputBinding", "wf_core.models.steps") of OutputBinding {
        fields: [source, target],
    }
}

/// Registers the classes of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PyInputPathBinding>(module, PyInputPathBinding::INFO)?;
    register_class::<PyInputValueBinding>(module, PyInputValueBinding::INFO)?;
    register_class::<PyInputExpressionBinding>(module, PyInputExpressionBinding::INFO)?;
    register_class::<PyOutputBinding>(module, PyOutputBinding::INFO)
}
