//! The contract of a node.

use std::sync::Arc;

use super::form::{NonEmpty, Number};
use super::{RetryPolicy, SchemaRef};

document! {
    /// What a node takes, gives and may answer; the handler is found by `name`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct NodeDef: "NodeDef" {
        /// The name by which steps and registries refer to it.
        pub name: Arc<str>,
        /// The schema of its payload.
        pub input_schema: SchemaRef,
        /// The schema of its output.
        pub output_schema: SchemaRef,
        /// The outcomes it may answer; the first is the default; never empty.
        pub outcomes: Vec<Arc<str>> => NonEmpty,
        /// Its retry policy, unless the step has one.
        pub retry: Option<RetryPolicy> = None,
        /// Its time limit in seconds, unless the step has one.
        pub timeout_seconds: Option<f64> => Number<0, true> = None,
    }
}
