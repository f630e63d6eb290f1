//! Each step by itself, and the edges between them.

use std::sync::Arc;

use super::bindings::{InputRules, SOURCE, Undeclared};
use super::graph::Target;
use super::place::Place;
use super::regions::{Kind, Regions};
use super::{CONTEXT_KEYS, END, IssueCode, START, Validator, repr};
use crate::document::{ForeachStep, GatherStep, GatherWait, InterruptStep, NodeStep, OutputBinding, SchemaRef, Step};
use crate::path::LocalPath;

impl Validator<'_> {
    pub(super) fn step(&mut self, index: usize, regions: &Regions) {
        let list = Place::root("nodes");
        let place = list.item(index);
        let step = &self.workflow.nodes[index];
        let id = step.id().as_ref();
        if self.graph.step(id) != Some(index) {
            let message = format!("duplicate node id {}", repr(id));
            self.error(IssueCode::DuplicateNodeId, &place.field("id"), message, None);
        }
        if id == END || id == START {
            let message = format!("node id {} is reserved", repr(id));
            let hint = Some("choose another id".to_owned());
            self.error(IssueCode::ReservedNodeId, &place.field("id"), message, hint);
        }
        match step {
            Step::Node(step) => self.node(step, &place),
            Step::Subgraph(step) => {
                self.outcomes(&step.outcomes, &place.field("outcomes"));
                self.subgraph(step, &place);
                self.payload(&step.input, &step.output, &step.input_schema, &step.output_schema, &place);
            }
            Step::Condition(step) => self.condition(&step.check, &place.field("check")),
            Step::Foreach(step) => self.foreach(step, index, &place, regions),
            Step::Join(_) => {}
            Step::End(step) => self.end(&step.outcome, &place),
            Step::Interrupt(step) => self.interrupt(step, &place),
            Step::Fork(step) => self.outcomes(&step.branches, &place.field("branches")),
            Step::Gather(step) => self.gather(step, index, &place),
        }
    }

    fn node(&mut self, step: &NodeStep, place: &Place<'_>) {
        let Some(node_def) = self.graph.node_def(&step.node) else {
            let hint = self.hints.nearest(&step.node, self.workflow.node_defs.iter().map(|def| def.name.as_ref()));
            let message = format!("unknown node def {}", repr(&step.node));
            return self.error(IssueCode::UnknownNodeDef, &place.field("node"), message, hint);
        };
        self.payload(&step.input, &step.output, &node_def.input_schema, &node_def.output_schema, place);
    }

    /// Checks the bindings around something that takes a payload and gives an output.
    fn payload(
        &mut self,
        input: &[crate::document::InputBinding],
        output: &[OutputBinding],
        input_schema: &SchemaRef,
        output_schema: &SchemaRef,
        place: &Place<'_>,
    ) {
        let rules = InputRules {
            schema: Some(input_schema),
            target_code: IssueCode::InvalidNodeInputField,
            target_message: undeclared_target,
            overlap_code: IssueCode::InvalidNodeInputField,
            overlap_message: "input has overlapping node-local input paths",
            source_code: IssueCode::InvalidSourcePath,
            source_message: SOURCE,
        };
        self.input_bindings(input, &place.field("input"), &rules);
        self.output_bindings(output, &place.field("output"), output_schema);
    }

    fn foreach(&mut self, step: &ForeachStep, index: usize, place: &Place<'_>, regions: &Regions) {
        let message = "foreach source path must start with input. or state. and reference a declared root field, \
                       or start with context.";
        self.source(&step.over, &place.field("over"), IssueCode::InvalidForeachSource, message);
        self.alias(step, index, &place.field("as"), regions);
        if let Some(target) = &step.item_error.collect_to {
            let policy = place.field("item_error");
            self.collect_target(target, &policy.field("collect_to"), IssueCode::InvalidForeachCollectDestination);
        }
    }

    /// Checks that the items of a loop have a name of their own.
    fn alias(&mut self, step: &ForeachStep, index: usize, place: &Place<'_>, regions: &Regions) {
        let alias = step.alias.as_ref();
        let shown = repr(alias);
        let (message, hint) = if LocalPath::new([alias]).is_err() {
            (format!("foreach alias {shown} is no name"), "write a name such as 'item'".to_owned())
        } else if CONTEXT_KEYS.contains(&alias) {
            (format!("foreach alias {shown} is a key of every context"), format!("rename it, for example 'my_{alias}'"))
        } else if let Some(outer) = regions.loops_around(index).find(|outer| self.alias_of(*outer) == Some(alias)) {
            let outer = repr(self.workflow.nodes[outer].id());
            (
                format!("foreach alias {shown} is the alias of the enclosing foreach {outer}"),
                "rename one of them".to_owned(),
            )
        } else {
            return;
        };
        self.error(IssueCode::InvalidForeachAlias, place, message, Some(hint));
    }

    fn alias_of(&self, step: usize) -> Option<&str> {
        match &self.workflow.nodes[step] {
            Step::Foreach(step) => Some(&step.alias),
            _ => None,
        }
    }

    fn end(&mut self, outcome: &str, place: &Place<'_>) {
        let declared = &self.workflow.outcomes;
        if !declared.iter().any(|known| known.as_ref() == outcome) {
            let hint = self.hints.nearest_or_all(OUTCOMES, outcome, names(declared));
            let message = format!("workflow outcome {} is not declared", repr(outcome));
            self.error(IssueCode::UndeclaredWorkflowOutcome, &place.field("outcome"), message, hint);
        }
    }

    fn interrupt(&mut self, step: &InterruptStep, place: &Place<'_>) {
        let rules = InputRules {
            schema: None,
            target_code: IssueCode::InvalidInterruptRequestField,
            target_message: undeclared_target,
            overlap_code: IssueCode::InvalidInterruptRequestField,
            overlap_message: "request has overlapping interrupt payload paths",
            source_code: IssueCode::InvalidInterruptSource,
            source_message: "interrupt request source must start with input., state., or context. and reference a \
                             declared root field",
        };
        self.input_bindings(&step.request, &place.field("request"), &rules);
        let resume = place.field("resume");
        for (index, binding) in step.resume.iter().enumerate() {
            if let Some(Undeclared { hint }) = self.undeclared_state(&binding.target) {
                let here = resume.item(index);
                let message = "interrupt resume destination must start with state. and reference a declared root field";
                self.error(IssueCode::InvalidInterruptDestination, &here.field("target"), message, hint);
            }
        }
        let message = "resume has overlapping state destination paths";
        self.target_overlap(&step.resume, &resume, IssueCode::InvalidInterruptDestination, message);
        let outcomes = place.field("outcomes");
        if step.outcomes.is_empty() {
            let message = "interrupt has no outcomes, so nothing could resume it";
            let hint = Some(r#"name at least one, for example "submitted""#.to_owned());
            self.error(IssueCode::NoOutcomes, &outcomes, message, hint);
        }
        self.outcomes(&step.outcomes, &outcomes);
    }

    fn gather(&mut self, step: &GatherStep, index: usize, place: &Place<'_>) {
        let named = self.graph.step(&step.fork).map(|fork| &self.workflow.nodes[fork]);
        if let Some(Step::Fork(fork)) = named {
            if self.graph.fork_of(index).is_none() {
                let first = self.graph.step(&step.fork).and_then(|fork| self.graph.gather_of(fork));
                let first = first.map(|first| repr(self.workflow.nodes[first].id())).unwrap_or_default();
                let message = format!("fork {} has a gather already, {first}", repr(&step.fork));
                self.error(IssueCode::DuplicateGather, &place.field("of"), message, None);
            }
            if let GatherWait::Count(count) = step.wait
                && usize::try_from(count).map_or(true, |count| count == 0 || count > fork.branches.len())
            {
                let most = fork.branches.len();
                let message = format!("gather waits for {count} branches, but fork {} has {most}", repr(&step.fork));
                let hint = Some(format!("write 'all', 'any' or a number from 1 to {most}"));
                self.error(IssueCode::InvalidGatherWait, &place.field("wait"), message, hint);
            }
        } else {
            let hint = self.hints.nearest_or_all("forks", &step.fork, self.graph.forks());
            let message = format!("gather names no fork: {}", repr(&step.fork));
            self.error(IssueCode::UnknownFork, &place.field("of"), message, hint);
        }
        if let Some(target) = &step.branch_error.collect_to {
            let policy = place.field("branch_error");
            self.collect_target(target, &policy.field("collect_to"), IssueCode::InvalidGatherCollectDestination);
        }
    }

    pub(super) fn edges(&mut self, regions: &Regions) {
        let list = Place::root("edges");
        let ends_with_ok = self.workflow.outcomes.iter().any(|outcome| outcome.as_ref() == "ok");
        let mut known = rustc_hash::FxHashSet::default();
        for (index, edge) in self.workflow.edges.iter().enumerate() {
            let place = list.item(index);
            if !known.insert((edge.from.as_ref(), edge.outcome.as_ref())) {
                let (from, outcome) = (repr(&edge.from), repr(&edge.outcome));
                let message = format!("duplicate edge for source {from} and outcome {outcome}");
                self.error(IssueCode::DuplicateEdge, &place, message, None);
            }
            let source = self.graph.step(&edge.from);
            match source {
                None => {
                    let hint = self.hints.nearest(&edge.from, self.graph.ids());
                    let message = format!("unknown source node {}", repr(&edge.from));
                    self.error(IssueCode::UnknownEdgeSource, &place.field("from"), message, hint);
                }
                Some(step) if !self.graph.outcomes[step].contains(&edge.outcome.as_ref()) => {
                    let declared = self.graph.outcomes[step].iter().copied();
                    let hint = self.hints.nearest_or_all(OUTCOMES, &edge.outcome, declared);
                    let (from, outcome) = (repr(&edge.from), repr(&edge.outcome));
                    let message = format!("outcome {outcome} is not declared by node {from}");
                    self.error(IssueCode::UndeclaredEdgeOutcome, &place.field("outcome"), message, hint);
                }
                Some(_) => {}
            }
            match self.graph.target(index) {
                Target::Unknown => {
                    let hint = self.hints.nearest(&edge.to, self.graph.destinations());
                    let message = format!("unknown destination node {}", repr(&edge.to));
                    self.error(IssueCode::UnknownEdgeDestination, &place.field("to"), message, hint);
                }
                // Inside a loop body it only ends the item.
                Target::End
                    if !ends_with_ok && source.is_none_or(|step| regions.loops_around(step).next().is_none()) =>
                {
                    let message = "legacy __end__ requires workflow outcome 'ok' to be declared";
                    let hint = self.hints.nearest_or_all(OUTCOMES, "ok", names(&self.workflow.outcomes));
                    self.error(IssueCode::UndeclaredWorkflowOutcome, &place.field("to"), message, hint);
                }
                Target::End | Target::Step(_) => {}
            }
            if let Some(breach) = regions.breach(index) {
                let (code, message, hint) = breach.describe(&self.graph);
                self.error(code, &place.field("to"), message, hint);
            }
        }
    }

    pub(super) fn missing_edges(&mut self, regions: &Regions) {
        let list = Place::root("nodes");
        for (index, step) in self.workflow.nodes.iter().enumerate() {
            if !regions.is_reached(index) {
                continue;
            }
            let mut missing = self.graph.missing_outcomes(index);
            if missing.is_empty() {
                continue;
            }
            missing.sort_unstable();
            missing.dedup();
            let shown: Vec<String> = missing.iter().map(|outcome| repr(outcome)).collect();
            let message = format!("reachable node is missing edges for outcomes [{}]", shown.join(", "));
            let hint = Some(format!("add an edge from {} for each", repr(step.id())));
            self.error(IssueCode::MissingOutcomeEdge, &list.id(step.id()), message, hint);
        }
    }

    pub(super) fn unreachable_steps(&mut self, regions: &Regions) {
        // Without a start nothing is reached, and one error says so.
        if self.graph.step(&self.workflow.start).is_none() {
            return;
        }
        let list = Place::root("nodes");
        for (index, step) in self.workflow.nodes.iter().enumerate() {
            if !regions.is_reached(index) && self.graph.step(step.id()) == Some(index) {
                let message = format!("node {} is never reached", repr(step.id()));
                let hint = Some("lead an edge to it, or take it out".to_owned());
                self.warning(IssueCode::UnreachableStep, &list.item(index), message, hint);
            }
        }
    }

    /// Notes regions with steps from which no end can be reached: one step for each region.
    pub(super) fn endless_steps(&mut self, regions: &Regions) {
        let finishing = self.graph.finishing();
        let list = Place::root("nodes");
        let mut noted = rustc_hash::FxHashSet::default();
        for (index, step) in self.workflow.nodes.iter().enumerate() {
            let Some(region) = regions.index_of(index) else { continue };
            if finishing[index] || !noted.insert(region) {
                continue;
            }
            let id = repr(step.id());
            let place = list.item(index);
            if let Some(Kind::Branches(fork)) = regions.kind_of(index) {
                let fork = repr(self.workflow.nodes[fork].id());
                let message =
                    format!("from node {id}, a branch of fork {fork} can reach neither its gather nor an end");
                self.error(IssueCode::BranchNeverArrives, &place, message, None);
            } else {
                let message = format!("from node {id} no end can be reached");
                self.warning(IssueCode::EndlessCycle, &place, message, None);
            }
        }
    }
}

const OUTCOMES: &str = "declared outcomes";

fn names(list: &[Arc<str>]) -> impl Iterator<Item = &str> {
    list.iter().map(AsRef::as_ref)
}

fn undeclared_target(target: &LocalPath) -> String {
    format!("destination field {} is not declared in node input schema", repr(&target.to_string()))
}
