//! A place of the state that steps write to, with everything that writing there involves.

use std::fmt;
use std::sync::Arc;

use crate::document::{OutputBinding, SiblingWritePolicy};
use crate::eval::lookup_local;
use crate::path::{LocalPath, StatePath};
use crate::reducer::Reducer;
use crate::value::{Key, Object, Value};

/// A place of the state, prepared for writing; cheap to clone.
#[derive(Clone)]
pub struct StateTarget(pub(super) Arc<TargetParts>);

pub(super) struct TargetParts {
    pub(super) path: StatePath,
    /// The path in its canonical form.
    pub(super) text: Arc<str>,
    pub(super) reducer: Reducer,
    /// Whether the path is a declared field.
    pub(super) declared: bool,
    /// Fields whose schemas decide whether a write is valid, outermost first; others are covered by these.
    pub(super) deciding: Box<[u32]>,
    /// Every field that is the place, lies around it or within it.
    pub(super) related: Box<[u32]>,
}

impl StateTarget {
    /// The path.
    pub fn path(&self) -> &StatePath {
        &self.0.path
    }

    /// The path in its canonical form, such as `state.person.name`.
    pub fn text(&self) -> &Arc<str> {
        &self.0.text
    }

    /// How writes merge.
    pub fn reducer(&self) -> &Reducer {
        &self.0.reducer
    }

    /// What the state holds there.
    pub fn read<'s>(&self, state: &'s Object) -> Option<&'s Value> {
        super::access::get(state, self.parts())
    }

    pub(super) fn parts(&self) -> &[Key] {
        &self.0.path.0
    }

    /// Whether several siblings may write here.
    pub(super) fn mergeable(&self) -> bool {
        self.0.declared && self.0.reducer.sibling_writes() == SiblingWritePolicy::Mergeable
    }
}

impl fmt::Debug for StateTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StateTarget").field(&self.0.text).finish()
    }
}

impl PartialEq for StateTarget {
    fn eq(&self, other: &Self) -> bool {
        self.0.path == other.0.path
    }
}

/// A value that a step brings to a place of the state.
#[derive(Clone, Debug, PartialEq)]
pub struct StateWrite {
    /// The place.
    pub target: StateTarget,
    /// The value, before the reducer.
    pub incoming: Value,
}

/// Output bindings, prepared for writing again and again.
#[derive(Clone, Debug, PartialEq)]
pub struct CompiledOutputs {
    pub(super) outputs: Box<[(LocalPath, StateTarget)]>,
}

/// A field that an output should have had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingSource {
    /// The path of the field in its canonical form.
    pub path: String,
}

impl CompiledOutputs {
    /// Whether there is no binding.
    pub fn is_empty(&self) -> bool {
        self.outputs.is_empty()
    }

    /// The targets in the order of the bindings.
    pub fn targets(&self) -> impl ExactSizeIterator<Item = &StateTarget> {
        self.outputs.iter().map(|(_, target)| target)
    }

    /// The writes that an output means.
    ///
    /// # Errors
    /// The output lacks a field; an explicit `null` is a field.
    pub fn writes(&self, output: &Object) -> Result<Vec<StateWrite>, MissingSource> {
        self.outputs
            .iter()
            .map(|(source, target)| match lookup_local(output, source) {
                Some(incoming) => Ok(StateWrite { target: target.clone(), incoming }),
                None => Err(MissingSource { path: source.to_string() }),
            })
            .collect()
    }
}

/// The output bindings of a step, against the targets of a layout.
pub(super) fn compile_outputs(
    bindings: &[OutputBinding],
    mut target: impl FnMut(&StatePath) -> StateTarget,
) -> CompiledOutputs {
    let outputs = bindings.iter().map(|binding| (binding.source.clone(), target(&binding.target))).collect();
    CompiledOutputs { outputs }
}
