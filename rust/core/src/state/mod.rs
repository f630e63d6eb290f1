//! The state of a workflow: how it starts, and how steps write to it.
//!
//! A [`StateLayout`] is a state schema compiled once per plan. A step's writes are *staged* on the state it sees:
//! merged by their reducers and checked against every schema they concern, without touching the state. Only a
//! patch for which all of that succeeded can be applied. Checking costs in proportion to what is written: a state
//! that was valid is not looked through again.

mod access;
mod error;
mod layout;
mod merge;
mod stage;
mod target;

pub use error::{LayoutError, StateError};
pub use layout::StateLayout;
pub use merge::SiblingWrite;
pub use stage::{Fold, PendingPatch, Staged, StagedPatch};
pub use target::{CompiledOutputs, MissingSource, StateTarget, StateWrite};
