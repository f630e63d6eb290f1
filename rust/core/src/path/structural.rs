//! The structural form of paths, and paths as documents take them: as text or in structural form.

use std::sync::Arc;

use super::{GraphRoot, GraphSourcePath, LocalPath, PathError, PathKind, StatePath};
use crate::value::{Object, Value};

impl LocalPath {
    /// Reads the text or the structural form (`{"root": "local", "parts": […]}`).
    pub fn from_value(value: &Value) -> Result<Self, PathError> {
        match value {
            Value::String(text) => Self::parse(text),
            Value::Object(object) if root_name(object) == Some("local") => Self::new(parts(object, PathKind::Local)?),
            Value::Object(_) => Err(PathError::StructuralRoot(PathKind::Local)),
            _ => Err(PathError::NoPath(PathKind::Local)),
        }
    }

    /// The structural form.
    pub fn to_structural(&self) -> Value {
        structural("local", &self.0)
    }
}

impl GraphSourcePath {
    /// Reads the text or the structural form (`{"root": "state", "parts": […]}`).
    pub fn from_value(value: &Value) -> Result<Self, PathError> {
        match value {
            Value::String(text) => Self::parse(text),
            Value::Object(object) => {
                let root = root_name(object)
                    .and_then(GraphRoot::from_name)
                    .ok_or(PathError::StructuralRoot(PathKind::GraphSource))?;
                Self::new(root, parts(object, PathKind::GraphSource)?)
            }
            _ => Err(PathError::NoPath(PathKind::GraphSource)),
        }
    }

    /// The structural form.
    pub fn to_structural(&self) -> Value {
        structural(self.root.as_str(), &self.parts)
    }
}

impl StatePath {
    /// Reads the text or the structural form (`{"root": "state", "parts": […]}`).
    pub fn from_value(value: &Value) -> Result<Self, PathError> {
        match value {
            Value::String(text) => Self::parse(text),
            Value::Object(object) if root_name(object) == Some("state") => Self::new(parts(object, PathKind::State)?),
            Value::Object(_) => Err(PathError::StructuralRoot(PathKind::State)),
            _ => Err(PathError::NoPath(PathKind::State)),
        }
    }

    /// The structural form.
    pub fn to_structural(&self) -> Value {
        structural(GraphRoot::State.as_str(), &self.0)
    }
}

fn root_name(object: &Object) -> Option<&str> {
    object.get("root")?.as_str()
}

/// The literal segments; a missing list is an empty one.
fn parts(object: &Object, kind: PathKind) -> Result<Vec<Arc<str>>, PathError> {
    let Some(parts) = object.get("parts") else { return Ok(Vec::new()) };
    let parts = parts.as_list().ok_or(PathError::StructuralParts(kind))?;
    parts
        .iter()
        .map(|part| match part {
            Value::String(text) => Ok(text.clone()),
            _ => Err(PathError::StructuralParts(kind)),
        })
        .collect()
}

fn structural(root: &str, parts: &[Arc<str>]) -> Value {
    let parts: Vec<Value> = parts.iter().map(|part| Value::String(part.clone())).collect();
    Value::Object(Object::from_iter([("root", Value::from(root)), ("parts", parts.into())]))
}
