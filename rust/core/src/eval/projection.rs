//! The output of a workflow, built from its final state.

use super::View;
use super::error::BindingError;
use super::payload::CompiledBindings;
use crate::document::{InputBinding, SchemaRef};
use crate::value::{Key, Object, Value};

/// How a workflow's output is built.
#[derive(Clone, Debug, PartialEq)]
pub enum Projection {
    /// By its `output` bindings.
    Bindings(CompiledBindings),
    /// From the state fields that its output schema names; those the state does not have are left out.
    Fields(Box<[Key]>),
}

impl Projection {
    /// Prepares the projection of a workflow.
    pub fn compile(output: &[InputBinding], schema: &SchemaRef) -> Self {
        if !output.is_empty() {
            return Self::Bindings(CompiledBindings::compile(output));
        }
        let names = schema.as_object().get("properties").and_then(Value::as_object);
        Self::Fields(names.into_iter().flat_map(Object::keys).cloned().collect())
    }

    /// Builds the output.
    ///
    /// # Errors
    /// A binding's source leads to nothing; the message has no label before it.
    pub fn project(&self, view: &View<'_>) -> Result<Object, BindingError> {
        match self {
            Self::Bindings(bindings) => bindings.build(view, ""),
            Self::Fields(names) => {
                Ok(names.iter().filter_map(|name| Some((Key::clone(name), view.state.get(name)?.clone()))).collect())
            }
        }
    }
}
