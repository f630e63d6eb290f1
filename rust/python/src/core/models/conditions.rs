//! Conditions.

use pyo3::prelude::*;
use wf_core::document::{
    BinaryCondition, ExistsCondition, LiteralOperand, NotCondition, PathOperand, VariadicCondition,
};

use crate::document::register_class;
use crate::document_class;

document_class! {
    /// The path holds something, null included.
    class PyExistsCondition("ExistsCondition", "wf_core.models.conditions") of ExistsCondition {
        tag: "op" = "exists",
        fields: [path],
    }
}

document_class! {
    /// The opposite of a condition.
    class PyNotCondition("NotCondition", "wf_core.models.conditions") of NotCondition {
        tag: "op" = "not",
        fields: [arg],
    }
}

document_class! {
    /// Several conditions combined.
    class PyVariadicCondition("VariadicCondition", "wf_core.models.conditions") of VariadicCondition {
        fields: [op, args],
    }
}

document_class! {
    /// Two operands compared.
    class PyBinaryCondition("BinaryCondition", "wf_core.models.conditions") of BinaryCondition {
        fields: [op, left, right],
    }
}

document_class! {
    /// What a path holds.
    class PyPathOperand("PathOperand", "wf_core.models.conditions") of PathOperand {
        fields: [path],
    }
}

document_class! {
    /// A literal.
    class PyLiteralOperand("LiteralOperand", "wf_core.models.conditions") of LiteralOperand {
        fields: [value],
    }
}

/// Registers the classes of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PyExistsCondition>(module, PyExistsCondition::INFO)?;
    register_class::<PyNotCondition>(module, PyNotCondition::INFO)?;
    register_class::<PyVariadicCondition>(module, PyVariadicCondition::INFO)?;
    register_class::<PyBinaryCondition>(module, PyBinaryCondition::INFO)?;
    register_class::<PyPathOperand>(module, PyPathOperand::INFO)?;
    register_class::<PyLiteralOperand>(module, PyLiteralOperand::INFO)
}
