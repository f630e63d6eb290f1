//! Values between Rust and Python, in both directions, without a detour.
//!
//! Into Rust the rules are strict: only what JSON can say gets through, and everything else is an error that
//! names the place inside the value and the Python type. Out of Rust every container is built afresh, so no
//! Python object is ever shared between a handler, the trace and the state.
//!
//! Keys repeat endlessly (`text`, `outcome`, `id`), so both directions keep a small table of keys they have
//! seen: a dict's key costs a pointer comparison instead of a decode and an allocation.

mod keys;
mod mapping;
mod not_json;
mod to_python;
mod to_value;

pub(crate) use mapping::mapping_entries;
pub(crate) use not_json::{NotJson, Problem};
pub(crate) use to_python::{object_to_python, value_to_python};
pub(crate) use to_value::{Instances, to_object, to_value};

/// How deep containers may nest; cyclic containers end here too.
pub(crate) const MAX_DEPTH: usize = wf_core::value::MAX_DEPTH;
