//! The interrupt step: the run pauses and asks somebody.

use std::sync::Arc;

use super::{InputBinding, OutputBinding, SchemaRef};

/// Pauses the run with a request until it is resumed with an outcome and a payload.
#[derive(Clone, Debug, PartialEq)]
pub struct InterruptStep {
    /// The step's id.
    pub id: Arc<str>,
    /// What kind of answer is wanted, for example `approval`.
    pub kind: Arc<str>,
    /// Fills the request's payload.
    pub request: Vec<InputBinding>,
    /// Writes the answer's payload into the state.
    pub resume: Vec<OutputBinding>,
    /// The outcomes an answer may choose (default `submitted`).
    pub outcomes: Vec<Arc<str>>,
    /// The schema of the request's payload.
    pub request_schema: SchemaRef,
    /// The schema of the answer's payload.
    pub resume_schema: SchemaRef,
    /// Whether the author gave a schema that differs from the default (never dumped).
    pub has_explicit_contract: bool,
}
