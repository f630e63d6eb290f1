//! Building payloads from bindings.

use std::fmt;

use super::View;
use super::error::{BindingCause, BindingError, PathError};
use super::local::set_local;
use super::path::lookup;
use crate::document::{Expression, InputBinding, InputSource};
use crate::path::LocalPath;
use crate::value::{Key, Object, Value};

/// Input bindings, prepared for building payloads again and again.
#[derive(Clone, Debug, PartialEq)]
pub struct CompiledBindings {
    bindings: Box<[InputBinding]>,
    shape: Shape,
}

/// What the bindings have in common, as far as it saves work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Every target is one key, and no two are the same.
    Flat,
    /// Anything else.
    Any,
}

impl CompiledBindings {
    /// Prepares bindings.
    pub fn compile(bindings: &[InputBinding]) -> Self {
        let flat = bindings.iter().all(|binding| binding.target.0.len() == 1);
        let shape = if flat { Shape::Flat } else { Shape::Any };
        Self { bindings: bindings.into(), shape }
    }

    /// Whether there is no binding.
    pub fn is_empty(&self) -> bool {
        self.bindings.is_empty()
    }

    /// The bindings as they were written.
    pub fn as_slice(&self) -> &[InputBinding] {
        &self.bindings
    }

    /// Builds a payload; `label` says in an error what was being built, and is rendered only then.
    ///
    /// # Errors
    /// A source leads to nothing, or a target cannot take its value.
    pub fn build(&self, view: &View<'_>, label: impl fmt::Display) -> Result<Object, BindingError> {
        if self.shape == Shape::Flat {
            let mut payload = Object::with_capacity(self.bindings.len());
            for binding in &self.bindings {
                let value = source(&binding.source, view).map_err(|fault| fault.within(binding, &label))?;
                if let Some(key) = binding.target.0.first() {
                    payload.insert(Key::clone(key), value);
                }
            }
            return Ok(payload);
        }
        let mut payload = Object::new();
        for binding in &self.bindings {
            let value = source(&binding.source, view).map_err(|fault| fault.within(binding, &label))?;
            set_local(&mut payload, &binding.target, value)
                .map_err(|error| error_at(&binding.target, "", &label, error.into()))?;
        }
        Ok(payload)
    }
}

/// Builds a payload from bindings, in their order; see [`CompiledBindings::build`].
///
/// # Errors
/// A source leads to nothing, or a target cannot take its value.
pub fn build_payload(
    bindings: &[InputBinding],
    view: &View<'_>,
    label: impl fmt::Display,
) -> Result<Object, BindingError> {
    CompiledBindings::compile(bindings).build(view, label)
}

/// A path that leads to nothing, and where within an expression it stands.
struct Fault {
    error: PathError,
    /// The steps from the innermost out.
    steps: Vec<String>,
}

impl Fault {
    #[cold]
    fn within(self, binding: &InputBinding, label: &dyn fmt::Display) -> BindingError {
        let steps: String = self.steps.into_iter().rev().collect();
        error_at(&binding.target, &steps, label, self.error.into())
    }
}

#[cold]
fn error_at(target: &LocalPath, steps: &str, label: &dyn fmt::Display, cause: BindingCause) -> BindingError {
    BindingError { label: label.to_string(), place: target.to_string() + steps, cause }
}

fn source(source: &InputSource, view: &View<'_>) -> Result<Value, Fault> {
    match source {
        InputSource::Value(value) => Ok(value.clone()),
        InputSource::Path(path) => match lookup(path, view) {
            Some(value) => Ok(value.into_owned()),
            None => Err(Fault { error: PathError { path: path.to_string() }, steps: Vec::new() }),
        },
        InputSource::Expression(built) => expression(built, view),
    }
}

/// Recurses as deep as the expression is nested, which parsing has bounded.
fn expression(built: &Expression, view: &View<'_>) -> Result<Value, Fault> {
    match built {
        Expression::Literal(value) => Ok(value.clone()),
        Expression::Path(path) => match lookup(path, view) {
            Some(value) => Ok(value.into_owned()),
            None => Err(Fault { error: PathError { path: path.to_string() }, steps: Vec::new() }),
        },
        Expression::Array(items) => {
            let mut list = Vec::with_capacity(items.len());
            for (position, item) in items.iter().enumerate() {
                list.push(expression(item, view).map_err(|fault| fault.below(|| format!("[{position}]")))?);
            }
            Ok(Value::List(list.into()))
        }
        Expression::Object(fields) => {
            let mut object = Object::with_capacity(fields.len());
            for (name, field) in fields {
                let value = expression(field, view).map_err(|fault| fault.below(|| format!(".{name}")))?;
                object.insert(Key::clone(name), value);
            }
            Ok(Value::Object(object))
        }
    }
}

impl Fault {
    fn below(mut self, step: impl FnOnce() -> String) -> Self {
        self.steps.push(step());
        self
    }
}
