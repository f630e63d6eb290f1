//! Checking values against JSON Schemas, fast when they are valid and well explained when they are not.
//!
//! Two checkers work together. The *filter* walks our own [`Value`] without converting or allocating anything and
//! answers "surely valid" or "no idea". Only then the *judge*, the `jsonschema` crate, decides and names the first
//! violation in the order in which the schema writes its keywords. The filter may never accept what the judge
//! would refuse.
//!
//! Schemas are Draft 2020-12 unless `$schema` says otherwise. Nothing is ever fetched, `format` is no assertion,
//! `1.0` is an integer, `true` is none, and patterns run in linear time.

mod build;
mod cycles;
mod error;
mod extent;
mod filter;
mod judge;
mod message;
mod node;
mod order;
mod pointer;
#[cfg(test)]
mod properties;
mod update;

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::value::{Key, Object, Value};

pub use error::{PayloadError, SchemaError};

pub(crate) use update::Change;

use build::Builder;
use filter::{Root, Verdict, Walk};
use judge::Judge;
use node::{Graph, NodeIx};

/// A JSON Schema, ready to check values; cheap to clone.
///
/// ```
/// use wf_core::schema::CompiledSchema;
/// use wf_core::value::{Object, Value};
///
/// let schema: Object = [("type", "integer")].into_iter().collect();
/// let schema = CompiledSchema::compile(&schema)?;
/// assert!(schema.check(&Value::from(3_i64), "answer").is_ok());
/// let error = schema.check(&Value::from("x"), "answer").unwrap_err();
/// assert_eq!(error.to_string(), "answer: 'x' is not of type 'integer'");
/// # Ok::<(), wf_core::schema::SchemaError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CompiledSchema(Arc<Compiled>);

/// A schema is a document and the place in it where checking starts.
#[derive(Debug)]
struct Compiled {
    document: Arc<Document>,
    pointer: String,
    node: NodeIx,
    /// Compiled when it is first needed; most parts of a document never meet an invalid value.
    judge: OnceLock<Result<Judge, SchemaError>>,
}

#[derive(Debug)]
struct Document {
    root: Value,
    graph: Graph,
}

/// What the judge found, before a label says what was checked.
pub(crate) struct Violation {
    path: String,
    keyword: String,
    message: String,
}

impl CompiledSchema {
    /// Compiles a whole document.
    ///
    /// # Errors
    /// The document breaks its dialect, refers to something outside itself, holds a pattern that does not run in
    /// linear time, or is nested too deep.
    pub fn compile(schema: &Object) -> Result<Self, SchemaError> {
        let (whole, _) = Self::with_parts(schema, &[])?;
        Ok(whole)
    }

    /// Compiles a whole document, and the parts of it at some JSON pointers.
    pub(crate) fn with_parts(schema: &Object, pointers: &[String]) -> Result<(Self, Vec<Self>), SchemaError> {
        let root = Value::Object(schema.clone());
        let judge = Judge::new(&root)?;
        let mut builder = Builder::new(&root);
        let whole = builder.node_at(String::new());
        let nodes: Vec<NodeIx> = pointers.iter().map(|pointer| builder.node_at(pointer.clone())).collect();
        let graph = builder.finish()?;
        let document = Arc::new(Document { root, graph });
        let part = |pointer: &str, node, judge| {
            Self(Arc::new(Compiled { document: Arc::clone(&document), pointer: pointer.to_owned(), node, judge }))
        };
        let parts = pointers.iter().zip(nodes).map(|(pointer, node)| part(pointer, node, OnceLock::new())).collect();
        Ok((part("", whole, OnceLock::from(Ok(judge))), parts))
    }

    /// Checks a value; `label` says in an error what was checked, and is rendered only then.
    ///
    /// # Errors
    /// The first violation, in the order of the schema's keywords.
    pub fn check(&self, value: &Value, label: impl fmt::Display) -> Result<(), PayloadError> {
        if self.accepts(value) { Ok(()) } else { self.judge(value, &label) }
    }

    /// Checks an object; see [`Self::check`].
    ///
    /// # Errors
    /// The first violation, in the order of the schema's keywords.
    pub fn check_object(&self, object: &Object, label: impl fmt::Display) -> Result<(), PayloadError> {
        let Compiled { document, node, .. } = &*self.0;
        match document.graph.check_object(*node, object, &mut Walk::of(Root::Object(object))) {
            Verdict::Yes => Ok(()),
            _ => self.judge(&Value::Object(object.clone()), &label),
        }
    }

    /// Whether the value is valid.
    pub fn is_valid(&self, value: &Value) -> bool {
        self.check(value, "").is_ok()
    }

    /// Whether the filter is sure that the value is valid.
    #[inline]
    pub(crate) fn accepts(&self, value: &Value) -> bool {
        self.verdict(value) == Verdict::Yes
    }

    pub(crate) fn verdict(&self, value: &Value) -> Verdict {
        self.0.document.graph.check(self.0.node, value, &mut Walk::new(value))
    }

    /// Whether a valid value surely stays valid when a place below it changes.
    pub(crate) fn accepts_change(&self, old: Option<&Value>, path: &[Key], change: Change<'_>) -> bool {
        let mut walk = Walk::of(match change {
            Change::Set(value) => Root::Value(value),
            Change::Merge(entries) => Root::Object(entries),
            Change::Append(_) => match old {
                Some(old) => Root::Value(old),
                None => return false,
            },
        });
        self.0.document.graph.change(self.0.node, old, path, change, &mut walk) == Verdict::Yes
    }

    /// Whether checking a value also checks the place at `way` below it against `inner`, a part of the same
    /// document.
    pub(crate) fn covers(&self, way: &[Key], inner: &Self) -> bool {
        Arc::ptr_eq(&self.0.document, &inner.0.document) && self.0.document.graph.covers(self.0.node, way, inner.0.node)
    }

    /// What a pointer into a schema document refers to.
    pub(crate) fn resolve<'v>(root: &'v Value, pointer: &str) -> Option<&'v Value> {
        pointer::resolve(root, pointer)
    }

    /// The pointer of a reference into its own document.
    pub(crate) fn local_reference(reference: &str) -> Option<String> {
        pointer::local(reference)
    }

    #[cold]
    fn judge(&self, value: &Value, label: &dyn fmt::Display) -> Result<(), PayloadError> {
        let Compiled { document, pointer, node, judge } = &*self.0;
        let fault = match judge.get_or_init(|| Judge::part(&document.root, pointer)) {
            Ok(judge) => judge.first_violation(&document.root, pointer, value, || {
                document.graph.is_enumerable(*node, value, &mut Walk::new(value))
            }),
            Err(error) => {
                return Err(PayloadError {
                    label: label.to_string(),
                    path: String::new(),
                    keyword: String::new(),
                    message: format!("cannot be checked: {error}"),
                });
            }
        };
        match fault {
            None => Ok(()),
            Some(Violation { path, keyword, message }) => {
                Err(PayloadError { label: label.to_string(), path, keyword, message })
            }
        }
    }
}
