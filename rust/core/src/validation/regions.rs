//! Regions: the bodies of loops, the branches of forks, and the flow around them.
//!
//! Each reachable step belongs to one region, found by walking the outer regions before the inner ones. An edge
//! that leads from a region to a step of a region around it leaves its region, which the run would not notice:
//! the item or the branch would simply go on with steps that were meant to follow it. Steps that only lead to an
//! end belong to everybody.

use std::collections::VecDeque;

use super::graph::{Graph, Target};
use super::{IssueCode, repr};
use crate::document::Step;

/// What a region is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The flow from the start.
    Root,
    /// The body of the foreach at this position.
    Loop(usize),
    /// The branches of the fork at this position.
    Branches(usize),
}

#[derive(Clone, Copy)]
pub(super) struct Region {
    pub(super) kind: Kind,
    parent: usize,
}

/// An edge (or the start) that leads where it must not.
#[derive(Clone, Copy)]
pub(super) enum Breach {
    /// Out of a region, to a step of a region around it.
    Leaves { region: Kind, step: usize },
    /// Into the branches of a fork, from elsewhere.
    Enters { fork: usize, step: usize },
    /// To a gather, but not from a branch of its fork.
    Gather { gather: usize, fork: usize },
}

/// The regions of a workflow.
pub(super) struct Regions {
    all: Vec<Region>,
    /// The region of each step that is reached.
    region_of: Vec<Option<usize>>,
    /// What is wrong with edges, by their position.
    breaches: Vec<Option<Breach>>,
    /// What is wrong with the start.
    pub(super) start_breach: Option<Breach>,
}

impl Regions {
    pub(super) fn is_reached(&self, step: usize) -> bool {
        self.region_of[step].is_some()
    }

    pub(super) fn breach(&self, edge: usize) -> Option<&Breach> {
        self.breaches[edge].as_ref()
    }

    /// The region that a step belongs to.
    pub(super) fn kind_of(&self, step: usize) -> Option<Kind> {
        self.region_of[step].map(|region| self.all[region].kind)
    }

    /// A number for the region that a step belongs to.
    pub(super) fn index_of(&self, step: usize) -> Option<usize> {
        self.region_of[step]
    }

    /// The loops around a step, the innermost first.
    pub(super) fn loops_around(&self, step: usize) -> impl Iterator<Item = usize> {
        let mut next = self.region_of[step];
        std::iter::from_fn(move || {
            loop {
                let region = self.all[next?];
                next = (region.kind != Kind::Root).then_some(region.parent);
                if let Kind::Loop(step) = region.kind {
                    return Some(step);
                }
            }
        })
    }

    fn is_within(&self, region: usize, outer: usize) -> bool {
        let mut region = region;
        // A parent always comes before its children.
        while region > outer {
            region = self.all[region].parent;
        }
        region == outer
    }
}

/// An arrival at a step that still has to be followed.
struct Arrival {
    /// The edge; `None` for the start.
    edge: Option<usize>,
    step: usize,
}

/// Walks the workflow from its start.
pub(super) fn analyse(graph: &Graph<'_>) -> Regions {
    let steps = graph.nodes().len();
    let mut walk = Walk {
        graph,
        only_ends: only_ends(graph),
        regions: Regions {
            all: vec![Region { kind: Kind::Root, parent: 0 }],
            region_of: vec![None; steps],
            breaches: vec![None; graph.workflow.edges.len()],
            start_breach: None,
        },
        waiting: VecDeque::new(),
    };
    if let Some(step) = graph.step(&graph.workflow.start) {
        walk.waiting.push_back((0, vec![Arrival { edge: None, step }]));
    }
    while let Some((region, arrivals)) = walk.waiting.pop_front() {
        walk.region(region, arrivals);
    }
    walk.regions
}

struct Walk<'g, 'w> {
    graph: &'g Graph<'w>,
    /// Which steps lead to nothing but an end.
    only_ends: Vec<bool>,
    regions: Regions,
    /// Regions that are known but not walked yet, outer ones first.
    waiting: VecDeque<(usize, Vec<Arrival>)>,
}

impl Walk<'_, '_> {
    fn region(&mut self, region: usize, mut open: Vec<Arrival>) {
        open.reverse();
        while let Some(arrival) = open.pop() {
            let kind = self.regions.all[region].kind;
            if let Some(fork) = self.graph.fork_of(arrival.step) {
                if kind != Kind::Branches(fork) {
                    self.breach(&arrival, Breach::Gather { gather: arrival.step, fork });
                }
                continue;
            }
            match self.regions.region_of[arrival.step] {
                None => self.enter(arrival.step, region, &mut open),
                Some(other) if other == region || self.only_ends[arrival.step] => {}
                Some(other) if self.regions.is_within(region, other) => {
                    self.breach(&arrival, Breach::Leaves { region: kind, step: arrival.step });
                }
                Some(other) => {
                    if let Kind::Branches(fork) = self.regions.all[other].kind {
                        self.breach(&arrival, Breach::Enters { fork, step: arrival.step });
                    }
                    // Two loops may share the steps of their bodies.
                }
            }
        }
    }

    fn enter(&mut self, step: usize, region: usize, open: &mut Vec<Arrival>) {
        let mut entering = vec![step];
        while let Some(step) = entering.pop() {
            if self.regions.region_of[step].is_some() {
                continue;
            }
            self.regions.region_of[step] = Some(region);
            let mut inner = Vec::new();
            let first = open.len();
            for (edge, document, target) in self.graph.leaving(step) {
                let Target::Step(target) = target else { continue };
                let arrival = Arrival { edge: Some(edge), step: target };
                if self.graph.opens_region(step, &document.outcome) {
                    inner.push(arrival);
                } else {
                    open.push(arrival);
                }
            }
            // The last arrival is followed first, and edges are followed in their order.
            open[first..].reverse();
            if !inner.is_empty() {
                let kind = match self.graph.nodes()[step] {
                    Step::Foreach(_) => Kind::Loop(step),
                    _ => Kind::Branches(step),
                };
                self.regions.all.push(Region { kind, parent: region });
                self.waiting.push_back((self.regions.all.len() - 1, inner));
            }
            // Behind the gather goes on what the fork began, even when every branch ends before it.
            entering.extend(self.graph.gather_of(step));
        }
    }

    fn breach(&mut self, arrival: &Arrival, breach: Breach) {
        match arrival.edge {
            Some(edge) => self.regions.breaches[edge] = Some(breach),
            None => self.regions.start_breach = Some(breach),
        }
    }
}

/// Which steps are ends, or joins that lead to nothing but ends.
fn only_ends(graph: &Graph<'_>) -> Vec<bool> {
    let steps = graph.nodes().len();
    let mut only_ends = vec![false; steps];
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); steps];
    let mut others = vec![0_usize; steps];
    let mut settled = Vec::new();
    for (index, step) in graph.nodes().iter().enumerate() {
        match step {
            Step::End(_) => settled.push(index),
            Step::Join(_) => {
                for (_, _, target) in graph.leaving(index) {
                    if let Target::Step(target) = target {
                        before[target].push(index);
                        others[index] += 1;
                    }
                }
                if others[index] == 0 {
                    settled.push(index);
                }
            }
            _ => {}
        }
    }
    while let Some(step) = settled.pop() {
        only_ends[step] = true;
        for join in &before[step] {
            others[*join] -= 1;
            if others[*join] == 0 {
                settled.push(*join);
            }
        }
    }
    only_ends
}

impl Breach {
    /// Says what is wrong.
    pub(super) fn describe(&self, graph: &Graph<'_>) -> (IssueCode, String, Option<String>) {
        let id = |step: usize| repr(graph.nodes()[step].id());
        match *self {
            Self::Leaves { region: Kind::Loop(foreach), step } if foreach == step => (
                IssueCode::EdgeLeavesRegion,
                format!("edge leads from the body of foreach {0} back to {0}", id(foreach)),
                Some("end the body with an edge to '__end__'; the next item starts by itself".to_owned()),
            ),
            Self::Leaves { region, step } => {
                let region = match region {
                    Kind::Loop(foreach) => format!("the body of foreach {}", id(foreach)),
                    Kind::Branches(fork) => format!("a branch of fork {}", id(fork)),
                    Kind::Root => "the workflow".to_owned(),
                };
                (
                    IssueCode::EdgeLeavesRegion,
                    format!("edge leaves {region} for node {}, which lies outside", id(step)),
                    Some("end it with an edge to '__end__', or give it a step of its own".to_owned()),
                )
            }
            Self::Enters { fork, step } => (
                IssueCode::EdgeLeavesRegion,
                format!("edge enters a branch of fork {} at node {} from outside", id(fork), id(step)),
                Some("branches are entered through their fork; give this edge a step of its own".to_owned()),
            ),
            Self::Gather { gather, fork } => (
                IssueCode::GatherOutsideFork,
                format!("gather {} is reached by something else than a branch of fork {}", id(gather), id(fork)),
                Some(format!("only branches of {} may lead here", id(fork))),
            ),
        }
    }
}
