//! Barriers: the writes of many siblings become one patch.

use std::borrow::Borrow;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::error::StateError;
use super::layout::StateLayout;
use super::stage::{Group, Staged};
use super::target::StateTarget;
use crate::value::{Key, Object, Value};

/// A write of one sibling: an item of a foreach, or a branch of a fork.
#[derive(Clone, Debug)]
pub struct SiblingWrite {
    /// Which sibling, by its position; siblings come in order.
    pub sibling: u32,
    /// The place.
    pub target: StateTarget,
    /// The value, before the reducer.
    pub incoming: Value,
}

impl StateLayout {
    /// Replays the writes of siblings, in their order, onto a state.
    ///
    /// Writes of one sibling never conflict with each other. Several siblings may write one place only if it is a
    /// declared field with a mergeable reducer, and never two places of which one lies within the other.
    ///
    /// # Errors
    /// A conflict, or what staging can fail with.
    pub fn merge_siblings(
        &self,
        state: &Object,
        writes: impl IntoIterator<Item = impl Borrow<SiblingWrite>>,
    ) -> Result<Staged, StateError> {
        let mut merge = Merge::default();
        for write in writes {
            merge.add(write.borrow())?;
        }
        self.stage_groups(state, merge.rounds)
    }
}

/// A place within the tree of all places written.
#[derive(Default)]
struct Place {
    /// Who wrote exactly here.
    written: Option<Written>,
    /// Who wrote somewhere within.
    within: Option<(u32, StateTarget)>,
}

struct Written {
    sibling: u32,
    target: StateTarget,
    /// The round and the group that collect the values.
    round: usize,
    group: usize,
}

#[derive(Default)]
struct Merge {
    places: Vec<Place>,
    children: FxHashMap<(u32, Key), u32>,
    rounds: Vec<Vec<Group>>,
    /// The way to each target, by the target's address: the same few targets come again for every sibling. The
    /// targets are kept, so that no address is used twice.
    known: FxHashMap<usize, (StateTarget, Box<[u32]>)>,
}

impl Merge {
    fn add(&mut self, write: &SiblingWrite) -> Result<(), StateError> {
        let SiblingWrite { sibling, target, incoming } = write;
        let sibling = *sibling;
        let Self { places, children, rounds, known } = self;
        let address = Arc::as_ptr(&target.0).addr();
        let (_, way) = known.entry(address).or_insert_with(|| (target.clone(), way_to(target, places, children)));
        let Some((leaf, around)) = way.split_last() else { return Ok(()) };
        let round = match first_round(places, rounds.len(), sibling, target, *leaf, around)? {
            Collect::Into { round, group } => {
                if let Some(group) = rounds.get_mut(round).and_then(|round| round.get_mut(group)) {
                    group.incoming.push(incoming.clone());
                }
                return Ok(());
            }
            Collect::New { round } => round,
        };
        if rounds.len() <= round {
            rounds.resize_with(round + 1, Vec::new);
        }
        let Some(groups) = rounds.get_mut(round) else { return Ok(()) };
        let group = groups.len();
        groups.push(Group { target: target.clone(), incoming: vec![incoming.clone()] });
        for place in around {
            if let Some(place) = places.get_mut(*place as usize) {
                place.within.get_or_insert_with(|| (sibling, target.clone()));
            }
        }
        if let Some(place) = places.get_mut(*leaf as usize) {
            let first = place.written.as_ref().map_or(sibling, |written| written.sibling);
            place.written = Some(Written { sibling: first, target: target.clone(), round, group });
        }
        Ok(())
    }
}

/// Where the value of a write belongs.
enum Collect {
    /// To the values that came to the same place before.
    Into { round: usize, group: usize },
    /// To a group of its own in this round.
    New { round: usize },
}

/// Looks for conflicts, and for the earliest round that comes after everything the write overlaps.
///
/// Siblings come in order. So whoever was first at a place is either another sibling, or the only one so far.
fn first_round(
    places: &[Place],
    rounds: usize,
    sibling: u32,
    target: &StateTarget,
    leaf: u32,
    around: &[u32],
) -> Result<Collect, StateError> {
    let overlap = |first: &StateTarget| StateError::SiblingOverlap {
        first: first.text().to_string(),
        second: target.text().to_string(),
    };
    let mut round = 0;
    for place in around {
        if let Some(written) = places.get(*place as usize).and_then(|place| place.written.as_ref()) {
            if written.sibling != sibling {
                return Err(overlap(&written.target));
            }
            round = round.max(written.round + 1);
        }
    }
    let Some(here) = places.get(leaf as usize) else { return Ok(Collect::New { round }) };
    if let Some((other, inner)) = &here.within {
        if *other != sibling {
            return Err(overlap(inner));
        }
        // They may be in any round so far.
        round = round.max(rounds);
    }
    match &here.written {
        Some(written) if written.sibling != sibling && !target.mergeable() => {
            Err(StateError::SiblingConflict { path: target.text().to_string() })
        }
        Some(written) if written.round >= round => Ok(Collect::Into { round: written.round, group: written.group }),
        _ => Ok(Collect::New { round }),
    }
}

/// The places from the outermost to the target's own.
fn way_to(target: &StateTarget, places: &mut Vec<Place>, children: &mut FxHashMap<(u32, Key), u32>) -> Box<[u32]> {
    let mut parent = u32::MAX;
    target
        .parts()
        .iter()
        .map(|part| {
            let next = u32::try_from(places.len()).unwrap_or(u32::MAX);
            let place = *children.entry((parent, part.clone())).or_insert(next);
            if place == next {
                places.push(Place::default());
            }
            parent = place;
            place
        })
        .collect()
}
