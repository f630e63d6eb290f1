//! Writes of one step: merged, checked, and only then applied, all together.

use std::sync::Arc;

use super::StateWrite;
use super::access;
use super::error::StateError;
use super::layout::StateLayout;
use super::target::StateTarget;
use crate::reducer::{CustomReducer, Merged, Reducer};
use crate::schema::Change;
use crate::value::{Object, Value};

/// What became of writes that were to be staged.
#[derive(Clone, Debug)]
pub enum Staged {
    /// They are merged and checked.
    Ready(StagedPatch),
    /// Custom reducers have to run first.
    NeedsReduce(PendingPatch),
}

/// Writes that are merged and checked, and can be applied to the state they were staged on.
#[derive(Clone, Debug)]
#[must_use = "staging changes nothing"]
pub struct StagedPatch(Patch);

#[derive(Clone, Debug)]
enum Patch {
    /// Nothing to write.
    Empty,
    One(StateTarget, Merged),
    Many(Vec<(StateTarget, Merged)>),
    /// The whole state afterwards, where writes built on each other.
    Whole(Object),
}

/// The values that come to one place, in order.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) target: StateTarget,
    pub(super) incoming: Vec<Value>,
}

/// One run of a custom reducer: it merges the incoming values into the current one, one after the other.
#[derive(Clone, Debug)]
pub struct Fold {
    /// The reducer with its configuration.
    pub reducer: Arc<CustomReducer>,
    /// The place, for errors of the reducer.
    pub target: StateTarget,
    /// What the place holds; `null` when it holds nothing.
    pub current: Value,
    /// The values, in order; at least one.
    pub incoming: Vec<Value>,
}

/// Writes that wait for custom reducers.
#[derive(Clone, Debug)]
pub struct PendingPatch {
    folds: Vec<Fold>,
    /// Merged so far; a place that waits has the index of its fold.
    merged: Vec<(StateTarget, Waiting)>,
    /// What comes after these writes, because it builds on them.
    later: Vec<Vec<Group>>,
    /// The state that earlier writes have led to, where later ones build on them.
    base: Option<Object>,
    /// The places that earlier writes have changed.
    written: Vec<StateTarget>,
}

#[derive(Clone, Debug)]
enum Waiting {
    Merged(Merged),
    Fold,
}

impl StagedPatch {
    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        matches!(self.0, Patch::Empty)
    }

    /// Applies the writes. Containers that nobody else shares are changed in place.
    ///
    /// # Errors
    /// The state is not the one the patch was staged on and cannot take it; then nothing is written.
    pub fn apply(self, state: &mut Object) -> Result<(), StateError> {
        match self.0 {
            Patch::Empty => Ok(()),
            Patch::One(target, merged) => write(state, &target, merged),
            Patch::Many(changes) => {
                for (target, _) in &changes {
                    access::can_reach(state, target.parts())?;
                }
                changes.into_iter().try_for_each(|(target, merged)| write(state, &target, merged))
            }
            Patch::Whole(after) => {
                *state = after;
                Ok(())
            }
        }
    }
}

impl PendingPatch {
    /// The reducers to run; they do not depend on each other.
    pub fn folds(&self) -> &[Fold] {
        &self.folds
    }

    /// Goes on with the results, in the order of [`Self::folds`]. `state` is the one that was staged on.
    ///
    /// # Errors
    /// As for staging.
    pub fn resolve(self, layout: &StateLayout, state: &Object, results: Vec<Value>) -> Result<Staged, StateError> {
        if results.len() != self.folds.len() {
            return Err(StateError::WrongResults { expected: self.folds.len(), got: results.len() });
        }
        let mut results = results.into_iter();
        let merged = self
            .merged
            .into_iter()
            .map(|(target, waiting)| {
                let merged = match waiting {
                    Waiting::Merged(merged) => merged,
                    Waiting::Fold => Merged::Value(results.next().unwrap_or_default()),
                };
                (target, merged)
            })
            .collect();
        Progress { layout, state, base: self.base, written: self.written }.advance(merged, self.later)
    }
}

impl StateLayout {
    /// Merges and checks the writes of one step; `state` is the state as the step sees it.
    ///
    /// # Errors
    /// A reducer cannot merge, a place cannot be reached, or the state would not meet its schema.
    pub fn stage(&self, state: &Object, writes: impl AsRef<[StateWrite]>) -> Result<Staged, StateError> {
        let writes = writes.as_ref();
        // Most steps write one place with a built-in reducer.
        if let [StateWrite { target, incoming }] = writes
            && let Reducer::Builtin(reducer) = target.reducer()
        {
            let current = target.read(state);
            let merged = reducer.fold(current, std::slice::from_ref(incoming), target.text())?;
            access::can_reach(state, target.parts())?;
            if self.still_valid(state, target, current, &merged) {
                return Ok(Staged::Ready(StagedPatch(Patch::One(target.clone(), merged))));
            }
            let change = [(target.clone(), merged)];
            self.check_whole(state, &change)?;
            let [(target, merged)] = change;
            return Ok(Staged::Ready(StagedPatch(Patch::One(target, merged))));
        }
        let group = |write: &StateWrite| Group { target: write.target.clone(), incoming: vec![write.incoming.clone()] };
        let groups = writes.iter().map(group).collect();
        self.stage_groups(state, vec![groups])
    }

    /// Stages rounds of writes, each building on the ones before.
    pub(super) fn stage_groups(&self, state: &Object, mut rounds: Vec<Vec<Group>>) -> Result<Staged, StateError> {
        rounds.reverse();
        Progress { layout: self, state, base: None, written: Vec::new() }.advance(Vec::new(), rounds)
    }

    /// Whether the filter is sure that the state stays valid.
    fn still_valid(&self, state: &Object, target: &StateTarget, current: Option<&Value>, merged: &Merged) -> bool {
        let parts = target.parts();
        let change = match (merged, current) {
            (Merged::Value(value), _) => Change::Set(value),
            (Merged::Append(items), Some(Value::List(_))) => Change::Append(items),
            (Merged::Entries(entries), Some(Value::Object(_))) => Change::Merge(entries),
            // Reducers grow only what is there; anything else has to be looked at whole.
            (Merged::Append(_) | Merged::Entries(_), _) => return false,
        };
        target.0.deciding.iter().all(|at| {
            let Some(field) = self.fields.get(*at as usize) else { return true };
            let depth = field.path.0.len();
            match parts.get(depth..) {
                Some([]) => field.schema.accepts_change(current, &[], change),
                Some(rest) => field.schema.accepts_change(access::get(state, &field.path.0), rest, change),
                // A field within the written value that the fields around it do not check.
                None => false,
            }
        })
    }

    /// Makes the state as it will be, and checks every field that the writes touch.
    #[cold]
    fn check_whole(&self, state: &Object, changes: &[(StateTarget, Merged)]) -> Result<(), StateError> {
        let mut after = state.clone();
        let mut touched: Vec<u32> = Vec::new();
        for (target, merged) in changes {
            touched.extend(&*target.0.related);
            write(&mut after, target, merged.clone())?;
        }
        self.check_touched(&after, touched)
    }

    /// Checks fields, the deepest first.
    fn check_touched(&self, after: &Object, mut touched: Vec<u32>) -> Result<(), StateError> {
        touched.sort_unstable();
        touched.dedup();
        let mut fields: Vec<_> = touched.iter().filter_map(|at| self.fields.get(*at as usize)).collect();
        fields.sort_by_key(|field| std::cmp::Reverse(field.path.0.len()));
        for field in fields {
            if let Some(value) = access::get(after, &field.path.0) {
                field.schema.check(value, format_args!("state write state.{}", field.dotted))?;
            }
        }
        Ok(())
    }
}

/// Staging in rounds: the places of one round do not overlap, and each round builds on the ones before.
struct Progress<'a> {
    layout: &'a StateLayout,
    state: &'a Object,
    base: Option<Object>,
    written: Vec<StateTarget>,
}

impl Progress<'_> {
    /// Finishes a round whose places are `merged`, then goes on with the rounds in `later` (the next one last).
    fn advance(
        mut self,
        mut merged: Vec<(StateTarget, Merged)>,
        mut later: Vec<Vec<Group>>,
    ) -> Result<Staged, StateError> {
        loop {
            let base = self.base.as_ref().unwrap_or(self.state);
            for (target, _) in &merged {
                access::can_reach(base, target.parts())?;
            }
            let Some(round) = later.pop() else { return self.finish(merged) };
            if !merged.is_empty() {
                let mut base = base.clone();
                for (target, merged) in merged {
                    write(&mut base, &target, merged)?;
                    self.written.push(target);
                }
                self.base = Some(base);
            }
            let base = self.base.as_ref().unwrap_or(self.state);
            let mut folds = Vec::new();
            let mut waiting = Vec::with_capacity(round.len());
            for Group { target, incoming } in round {
                let current = target.read(base);
                let next = match target.reducer() {
                    Reducer::Builtin(reducer) => Waiting::Merged(reducer.fold(current, &incoming, target.text())?),
                    Reducer::Custom(reducer) => {
                        folds.push(Fold {
                            reducer: Arc::clone(reducer),
                            target: target.clone(),
                            current: current.cloned().unwrap_or_default(),
                            incoming,
                        });
                        Waiting::Fold
                    }
                };
                waiting.push((target, next));
            }
            if !folds.is_empty() {
                let Self { base, written, .. } = self;
                return Ok(Staged::NeedsReduce(PendingPatch { folds, merged: waiting, later, base, written }));
            }
            merged = waiting
                .into_iter()
                .filter_map(|(target, waiting)| match waiting {
                    Waiting::Merged(merged) => Some((target, merged)),
                    Waiting::Fold => None,
                })
                .collect();
        }
    }

    fn finish(self, merged: Vec<(StateTarget, Merged)>) -> Result<Staged, StateError> {
        let Some(mut after) = self.base else {
            let all_valid = merged
                .iter()
                .all(|(target, merged)| self.layout.still_valid(self.state, target, target.read(self.state), merged));
            if !all_valid {
                self.layout.check_whole(self.state, &merged)?;
            }
            let patch = if merged.is_empty() { Patch::Empty } else { Patch::Many(merged) };
            return Ok(Staged::Ready(StagedPatch(patch)));
        };
        let mut touched: Vec<u32> = Vec::new();
        for (target, merged) in merged {
            touched.extend(&*target.0.related);
            write(&mut after, &target, merged)?;
        }
        for target in &self.written {
            touched.extend(&*target.0.related);
        }
        self.layout.check_touched(&after, touched)?;
        Ok(Staged::Ready(StagedPatch(Patch::Whole(after))))
    }
}

/// Writes what a reducer made into the state.
fn write(state: &mut Object, target: &StateTarget, merged: Merged) -> Result<(), StateError> {
    access::with_place(state, target.parts(), |object, key| match merged {
        Merged::Value(value) => match object.get_mut(key) {
            Some(place) => *place = value,
            None => {
                object.insert(key.clone(), value);
            }
        },
        Merged::Append(items) => match object.get_mut(key) {
            Some(Value::List(list)) => list.make_mut().extend(items.iter().cloned()),
            _ => {
                object.insert(key.clone(), items);
            }
        },
        Merged::Entries(entries) => match object.get_mut(key) {
            Some(Value::Object(inner)) => {
                for (key, value) in &entries {
                    inner.insert(key.clone(), value.clone());
                }
            }
            _ => {
                object.insert(key.clone(), entries);
            }
        },
    })
}
