//! A workflow's steps and edges by index.

use rustc_hash::FxHashMap;

use super::{END, step_outcomes};
use crate::document::{Edge, NodeDef, StateField, Step, Workflow};
use crate::path::StatePath;

/// Where an edge leads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// To a step.
    Step(usize),
    /// To `__end__`.
    End,
    /// To nothing that exists.
    Unknown,
}

/// The index of a document; of several steps or contracts with one name, the first counts.
pub(super) struct Graph<'w> {
    pub(super) workflow: &'w Workflow,
    ids: FxHashMap<&'w str, usize>,
    defs: FxHashMap<&'w str, usize>,
    fields: FxHashMap<&'w StatePath, &'w StateField>,
    /// The outcomes that each step declares.
    pub(super) outcomes: Vec<Vec<&'w str>>,
    /// The edges that leave each step.
    leaving: Vec<Vec<usize>>,
    targets: Vec<Target>,
    /// The gather of each fork: the first that names it.
    gathers: FxHashMap<usize, usize>,
}

impl<'w> Graph<'w> {
    pub(super) fn new(workflow: &'w Workflow) -> Self {
        let mut ids = FxHashMap::default();
        for (index, step) in workflow.nodes.iter().enumerate() {
            ids.entry(step.id().as_ref()).or_insert(index);
        }
        let mut defs = FxHashMap::default();
        for (index, node_def) in workflow.node_defs.iter().enumerate() {
            defs.entry(node_def.name.as_ref()).or_insert(index);
        }
        let mut leaving = vec![Vec::new(); workflow.nodes.len()];
        let mut targets = Vec::with_capacity(workflow.edges.len());
        for (index, edge) in workflow.edges.iter().enumerate() {
            if let Some(source) = ids.get(edge.from.as_ref()) {
                leaving[*source].push(index);
            }
            targets.push(match ids.get(edge.to.as_ref()) {
                _ if edge.to.as_ref() == END => Target::End,
                Some(step) => Target::Step(*step),
                None => Target::Unknown,
            });
        }
        let mut gathers = FxHashMap::default();
        for (index, step) in workflow.nodes.iter().enumerate() {
            if let Step::Gather(gather) = step
                && let Some(fork) = ids.get(gather.fork.as_ref())
                && matches!(workflow.nodes[*fork], Step::Fork(_))
            {
                gathers.entry(*fork).or_insert(index);
            }
        }
        let outcomes = workflow
            .nodes
            .iter()
            .map(|step| {
                let node_def = match step {
                    Step::Node(node) => defs.get(node.node.as_ref()).map(|index| &workflow.node_defs[*index]),
                    _ => None,
                };
                step_outcomes(step, node_def)
            })
            .collect();
        let fields = workflow.state_schema.fields().iter().map(|field| (&field.path, field)).collect();
        Self { workflow, ids, defs, fields, outcomes, leaving, targets, gathers }
    }

    /// The step of that id.
    pub(super) fn step(&self, id: &str) -> Option<usize> {
        self.ids.get(id).copied()
    }

    /// The ids of all steps.
    pub(super) fn ids(&self) -> impl Iterator<Item = &'w str> + use<'w> {
        self.workflow.nodes.iter().map(|step| step.id().as_ref())
    }

    /// Everything that an edge may lead to.
    pub(super) fn destinations(&self) -> impl Iterator<Item = &'w str> + use<'w> {
        let nodes = &self.workflow.nodes;
        nodes.iter().map(|step| step.id().as_ref()).chain(std::iter::once(END))
    }

    /// From which steps an end can be reached, or the gather of the branch.
    ///
    /// A step whose edges are incomplete counts as finishing, since it has an issue of its own.
    pub(super) fn finishing(&self) -> Vec<bool> {
        let steps = self.workflow.nodes.len();
        let mut finishing = vec![false; steps];
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); steps];
        let mut settled = Vec::new();
        for (index, step) in self.workflow.nodes.iter().enumerate() {
            let gather = self.gather_of(index);
            let mut ends = self.outcomes[index].is_empty() || !self.missing_outcomes(index).is_empty();
            if let Some(gather) = gather {
                before[gather].push(index);
            }
            for (_, edge, target) in self.leaving(index) {
                // What a body or a branch does is not what follows it; only a fork without a gather ends with them.
                if self.opens_region(index, &edge.outcome) && (gather.is_some() || matches!(step, Step::Foreach(_))) {
                    continue;
                }
                match target {
                    Target::Step(target) if self.fork_of(target).is_none() => before[target].push(index),
                    _ => ends = true,
                }
            }
            if ends {
                settled.push(index);
            }
        }
        while let Some(step) = settled.pop() {
            if !std::mem::replace(&mut finishing[step], true) {
                settled.extend(before[step].iter().copied());
            }
        }
        finishing
    }

    /// The position of the contract of that name.
    pub(super) fn first_def(&self, name: &str) -> Option<usize> {
        self.defs.get(name).copied()
    }

    /// The contract of that name.
    pub(super) fn node_def(&self, name: &str) -> Option<&'w NodeDef> {
        self.first_def(name).map(|index| &self.workflow.node_defs[index])
    }

    /// The ids of all forks.
    pub(super) fn forks(&self) -> impl Iterator<Item = &'w str> + use<'w> {
        self.workflow.nodes.iter().filter(|step| matches!(step, Step::Fork(_))).map(|step| step.id().as_ref())
    }

    /// The declaration of exactly that place in the state.
    pub(super) fn state_field(&self, path: &StatePath) -> Option<&'w StateField> {
        self.fields.get(path).copied()
    }

    pub(super) fn nodes(&self) -> &'w [Step] {
        &self.workflow.nodes
    }

    /// The edges that leave a step, with their positions and targets.
    pub(super) fn leaving(&self, step: usize) -> impl Iterator<Item = (usize, &'w Edge, Target)> {
        self.leaving[step].iter().map(|edge| (*edge, &self.workflow.edges[*edge], self.targets[*edge]))
    }

    pub(super) fn target(&self, edge: usize) -> Target {
        self.targets[edge]
    }

    /// The gather at which the branches of a fork meet.
    pub(super) fn gather_of(&self, fork: usize) -> Option<usize> {
        self.gathers.get(&fork).copied()
    }

    /// The fork whose branches meet at a gather; `None` when it names none, or is not the first that does.
    pub(super) fn fork_of(&self, gather: usize) -> Option<usize> {
        let Step::Gather(step) = &self.workflow.nodes[gather] else { return None };
        let fork = self.step(&step.fork)?;
        (self.gather_of(fork) == Some(gather)).then_some(fork)
    }

    /// Whether an edge with this outcome starts a region of its own: a loop body or a branch.
    pub(super) fn opens_region(&self, step: usize, outcome: &str) -> bool {
        match &self.workflow.nodes[step] {
            Step::Foreach(_) => outcome == "loop",
            Step::Fork(fork) => fork.branches.iter().any(|branch| branch.as_ref() == outcome),
            _ => false,
        }
    }

    /// The declared outcomes of a step that no edge takes.
    pub(super) fn missing_outcomes(&self, step: usize) -> Vec<&'w str> {
        let outcomes = &self.outcomes[step];
        let taken = |outcome: &str| {
            self.leaving[step].iter().any(|edge| self.workflow.edges[*edge].outcome.as_ref() == outcome)
        };
        if outcomes.len() <= 8 {
            return outcomes.iter().copied().filter(|outcome| !taken(outcome)).collect();
        }
        let known: rustc_hash::FxHashSet<&str> =
            self.leaving[step].iter().map(|edge| self.workflow.edges[*edge].outcome.as_ref()).collect();
        outcomes.iter().copied().filter(|outcome| !known.contains(outcome)).collect()
    }
}
