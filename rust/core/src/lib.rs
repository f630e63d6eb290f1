//! The workflow engine: documents, validation and a deterministic run machine without IO.
//!
//! A [`document::Workflow`] is what an author writes. `Plan::compile` checks it and indexes it once. A `Run`
//! is a state machine over a plan: it never calls a handler, reads a clock or touches a disk. Everything that
//! happens outside reaches it as an *event*; everything it wants done leaves it as an *effect*. The same
//! events over the same plan give the same run, byte for byte.

pub mod document;
pub mod eval;
pub mod path;
pub mod plan;
pub mod reducer;
pub mod refs;
pub mod run;
pub mod schema;
pub mod state;
pub mod validation;
pub mod value;
