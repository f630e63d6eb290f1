//! What a handler answers.

use std::sync::Arc;

use crate::value::Object;

document! {
    /// An outcome and an output.
    #[derive(Clone, Debug, PartialEq)]
    pub struct NodeResult: "NodeResult" {
        /// The outcome; must be one the node's contract declares.
        pub outcome: Arc<str>,
        /// The output.
        pub output: Object = Object::new(),
        /// Free remarks of the handler, kept in the trace.
        pub meta: Object = Object::new(),
    }
    extra extra;
}
