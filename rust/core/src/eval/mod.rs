//! Evaluating what a workflow says about data: paths, bindings, expressions, conditions, the output.
//!
//! Everything here is a pure function of a [`View`]. Paths and keys are shared with the document, so evaluating
//! parses and formats nothing while it succeeds.

mod condition;
mod error;
mod local;
mod path;
mod payload;
mod projection;

use crate::value::{Object, Value};

pub use condition::eval_condition;
pub use error::{BindingCause, BindingError, ConditionError, LocalPathError, PathError};
pub use local::{get_local, set_local};
pub use path::{path_exists, resolve_path};
pub use payload::{CompiledBindings, build_payload};
pub use projection::Projection;

pub(crate) use local::lookup_local;
pub(crate) use path::{descend, descend_object};

/// What bindings, expressions and conditions can see.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// `input`: the input of the workflow.
    pub input: &'a Object,
    /// `state`: the state as the frame sees it.
    pub state: &'a Object,
    /// `context`: what the frame knows about its own place in the run.
    pub context: &'a dyn ContextLookup,
}

/// The `context` of a frame; its values are made when they are asked for.
pub trait ContextLookup {
    /// The value of a key.
    fn get(&self, key: &str) -> Option<Value>;

    /// All of it, for a binding that reads bare `context`.
    fn all(&self) -> Object;
}

impl ContextLookup for Object {
    fn get(&self, key: &str) -> Option<Value> {
        Self::get(self, key).cloned()
    }

    fn all(&self) -> Object {
        self.clone()
    }
}

/// A context that holds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoContext;

impl ContextLookup for NoContext {
    fn get(&self, _key: &str) -> Option<Value> {
        None
    }

    fn all(&self) -> Object {
        Object::new()
    }
}
