//! From documents to a plan: every name is looked up here, once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use crate::document::{ForeachMode, OutputBinding, SchemaRef, Step, SubgraphStep, Workflow, WorkflowRef};
use crate::eval::{CompiledBindings, Projection};
use crate::reducer::{Reducer, ReducerError};
use crate::schema::CompiledSchema;
use crate::state::{CompiledOutputs, LayoutError, StateLayout};
use crate::validation::{Checks, IssueCode, validate};

use super::index::{ExitIx, Next, OutcomeIx, StepIx, WorkflowIx};
use super::step::{Exit, ForeachPlan, ForkPlan, GatherPlan, InterruptPlan, NodePlan, StepKind, StepPlan, SubgraphPlan};
use super::tables::{ReducerTable, SubgraphTable};
use super::{Contract, END, OK, WorkflowPlan};

/// Everything that keeps a workflow from being run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct PlanError {
    /// The problems, in document order.
    pub problems: Vec<PlanProblem>,
}

/// One problem of a workflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanProblem {
    /// The stable code.
    pub code: String,
    /// Where, as a path into the document; of a child workflow it begins with the reference.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl fmt::Display for PlanError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Workflow validation failed:")?;
        for PlanProblem { code, path, message, .. } in &self.problems {
            write!(formatter, "\n- [{code}] {path}: {message}")?;
        }
        Ok(())
    }
}

/// Compiles a workflow and all it contains.
pub(super) fn compile(
    workflow: Arc<Workflow>,
    reducers: &ReducerTable,
    subgraphs: &SubgraphTable,
) -> Result<Vec<WorkflowPlan>, PlanError> {
    let mut compiler = Compiler { subgraphs, numbers: BTreeMap::new(), sources: Vec::new(), problems: Vec::new() };
    compiler.collect(workflow, reducers);
    compiler.validate();
    compiler.refuse_recursion();
    let mut plans = Vec::with_capacity(compiler.sources.len());
    if compiler.problems.is_empty() {
        for number in 0..compiler.sources.len() {
            plans.extend(compiler.workflow(number));
        }
    }
    let problems = compiler.problems;
    if problems.is_empty() { Ok(plans) } else { Err(PlanError { problems }) }
}

struct Compiler<'a> {
    subgraphs: &'a SubgraphTable,
    /// The number of each child workflow.
    numbers: BTreeMap<String, WorkflowIx>,
    sources: Vec<Source<'a>>,
    problems: Vec<PlanProblem>,
}

/// A workflow to compile.
struct Source<'a> {
    document: Arc<Workflow>,
    reference: Option<WorkflowRef>,
    reducers: &'a ReducerTable,
}

impl<'a> Compiler<'a> {
    /// Numbers the root and everything reachable from it. The list grows while it is walked, so nesting costs no stack.
    /// A child that nobody has prepared is passed over here and found by the validation.
    fn collect(&mut self, root: Arc<Workflow>, reducers: &'a ReducerTable) {
        self.sources.push(Source { document: root, reference: None, reducers });
        let mut next = 0;
        while let Some(source) = self.sources.get(next) {
            let document = Arc::clone(&source.document);
            for step in &document.nodes {
                if let Step::Subgraph(subgraph) = step {
                    self.collect_child(&subgraph.workflow);
                }
            }
            next += 1;
        }
    }

    fn collect_child(&mut self, reference: &WorkflowRef) {
        let text = reference.to_string();
        let Some(child) = self.subgraphs.get(&text).filter(|_| !self.numbers.contains_key(&text)) else { return };
        self.numbers.insert(text, WorkflowIx::next(self.sources.len()));
        self.sources.push(Source {
            document: Arc::clone(&child.workflow),
            reference: Some(reference.clone()),
            reducers: &child.reducers,
        });
    }

    /// Checks the structure of every workflow.
    fn validate(&mut self) {
        for source in &self.sources {
            let checks = Checks { reducers: Some(source.reducers), subgraphs: Some(self.subgraphs) };
            let scope = scope_of(source);
            let report = validate(&source.document, &checks);
            self.problems.extend(report.errors().map(|issue| PlanProblem {
                code: issue.code.as_str().to_owned(),
                path: format!("{scope}{}", issue.path),
                message: issue.message.clone(),
                hint: issue.hint.clone(),
            }));
        }
    }

    /// A workflow that contains itself would be compiled for ever deeper scopes. Removing workflows that contain
    /// nothing left to remove leaves exactly the cycles and what leads to them.
    fn refuse_recursion(&mut self) {
        let children: Vec<BTreeSet<usize>> = self.sources.iter().map(|source| self.children_of(source)).collect();
        let mut left: BTreeSet<usize> = (0..children.len()).collect();
        while let Some(leaf) = left.iter().copied().find(|number| children[*number].is_disjoint(&left)) {
            left.remove(&leaf);
        }
        for number in left {
            let source = &self.sources[number];
            let name = source.reference.as_ref().map_or_else(|| source.document.name.to_string(), ToString::to_string);
            let path = format!("{}nodes", scope_of(source));
            self.problem(IssueCode::RecursiveSubgraph, path, format!("workflow '{name}' contains itself"));
        }
    }

    fn children_of(&self, source: &Source<'_>) -> BTreeSet<usize> {
        let steps = source.document.nodes.iter();
        steps
            .filter_map(|step| match step {
                Step::Subgraph(subgraph) => self.numbers.get(&subgraph.workflow.to_string()).map(|number| number.at()),
                _ => None,
            })
            .collect()
    }

    fn problem(&mut self, code: IssueCode, path: String, message: String) {
        self.problems.push(PlanProblem { code: code.as_str().to_owned(), path, message, hint: None });
    }

    fn workflow(&mut self, number: usize) -> Option<WorkflowPlan> {
        let source = &self.sources[number];
        let (document, reference, reducers) = (Arc::clone(&source.document), source.reference.clone(), source.reducers);
        let scope = scope_of(source);
        let layout = match StateLayout::compile(&document.state_schema, reducers) {
            Ok(layout) => layout,
            Err(errors) => {
                for error in errors {
                    let code = match &error {
                        LayoutError::Reducer { cause: ReducerError::Unknown { .. }, .. } => IssueCode::UnknownReducer,
                        LayoutError::Reducer { .. } => IssueCode::InvalidReducerConfig,
                        _ => IssueCode::InvalidSchema,
                    };
                    self.problem(code, format!("{scope}state_schema"), error.to_string());
                }
                return None;
            }
        };
        let mut steps = StepCompiler::new(self, &document, &scope, &layout);
        let plans: Vec<Option<StepPlan>> =
            document.nodes.iter().enumerate().map(|(position, step)| steps.step(position, step)).collect();
        let start = steps.find(&document.start, "start");
        let contracts: Option<Vec<Contract>> = document
            .node_defs
            .iter()
            .enumerate()
            .map(|(position, def)| {
                Some(Contract {
                    input_schema: steps.schema(&def.input_schema, &format!("node_defs[{position}].input_schema"))?,
                    output_schema: steps.schema(&def.output_schema, &format!("node_defs[{position}].output_schema"))?,
                })
            })
            .collect();
        let input_schema = steps.schema(&document.input_schema, "input_schema")?;
        let output_schema = steps.schema(&document.output_schema, "output_schema")?;
        let custom = document
            .state_schema
            .fields()
            .iter()
            .any(|field| matches!(Reducer::find(&field.reducer, reducers), Ok(Reducer::Custom(_))));
        Some(WorkflowPlan {
            reference,
            steps: plans.into_iter().collect::<Option<_>>()?,
            start: start?,
            contracts: contracts?,
            input_schema,
            output_schema,
            projection: Projection::compile(&document.output, &document.output_schema),
            layout,
            has_custom_reducers: custom,
            ok_outcome: position_of(&document.outcomes, OK).map(OutcomeIx::next),
            document,
        })
    }
}

fn scope_of(source: &Source<'_>) -> String {
    source.reference.as_ref().map_or_else(String::new, |reference| format!("{reference}: "))
}

fn position_of(names: &[Arc<str>], wanted: &str) -> Option<usize> {
    names.iter().position(|name| **name == *wanted)
}

/// Compiles the steps of one workflow.
struct StepCompiler<'c, 'a> {
    compiler: &'c mut Compiler<'a>,
    document: &'c Workflow,
    scope: &'c str,
    layout: &'c StateLayout,
    steps: BTreeMap<&'c str, StepIx>,
    edges: BTreeMap<(&'c str, &'c str), &'c str>,
}

impl<'c, 'a> StepCompiler<'c, 'a> {
    fn new(compiler: &'c mut Compiler<'a>, document: &'c Workflow, scope: &'c str, layout: &'c StateLayout) -> Self {
        let steps = document.nodes.iter().enumerate().map(|(at, step)| (&**step.id(), StepIx::next(at))).collect();
        let edges = document.edges.iter().map(|edge| ((&*edge.from, &*edge.outcome), &*edge.to)).collect();
        Self { compiler, document, scope, layout, steps, edges }
    }

    fn problem(&mut self, code: IssueCode, path: &str, message: String) {
        let path = format!("{}{path}", self.scope);
        self.compiler.problem(code, path, message);
    }

    fn schema(&mut self, schema: &SchemaRef, path: &str) -> Option<CompiledSchema> {
        CompiledSchema::compile(schema.as_object())
            .map_err(|error| self.problem(IssueCode::InvalidSchema, path, error.to_string()))
            .ok()
    }

    fn outputs(&mut self, bindings: &[OutputBinding], path: &str) -> Option<CompiledOutputs> {
        self.layout
            .outputs(bindings)
            .map_err(|error| self.problem(IssueCode::InvalidDestinationPath, path, error.to_string()))
            .ok()
    }

    fn find(&mut self, id: &str, path: &str) -> Option<StepIx> {
        let found = self.steps.get(id).copied();
        if found.is_none() {
            self.problem(IssueCode::UnknownEdgeDestination, path, format!("unknown step '{id}'"));
        }
        found
    }

    fn exits<'n>(&mut self, step: &Step, outcomes: impl IntoIterator<Item = &'n str>) -> Vec<Exit> {
        let id = &**step.id();
        outcomes
            .into_iter()
            .map(|outcome| {
                let next = match self.edges.get(&(id, outcome)).copied() {
                    Some(END) => Some(Next::End),
                    Some(to) => self.find(to, &format!("edges[{id}, {outcome}].to")).map(Next::Step),
                    None => None,
                };
                Exit { outcome: outcome.into(), next }
            })
            .collect()
    }

    fn step(&mut self, position: usize, step: &Step) -> Option<StepPlan> {
        let path = format!("nodes[{position}]");
        let kind = self.kind(step, &path)?;
        let exits = match step {
            Step::Node(node) => {
                let def = self.document.node_defs.iter().find(|def| def.name == node.node)?;
                self.exits(step, def.outcomes.iter().map(|outcome| &**outcome))
            }
            Step::Subgraph(subgraph) => self.exits(step, subgraph.outcomes.iter().map(|outcome| &**outcome)),
            Step::Interrupt(interrupt) => self.exits(step, interrupt.outcomes.iter().map(|outcome| &**outcome)),
            Step::Fork(fork) => self.exits(step, fork.branches.iter().map(|branch| &**branch)),
            Step::Condition(_) => self.exits(step, ["true", "false"]),
            Step::Foreach(_) => self.exits(step, ["loop", "done", "completed_with_errors"]),
            Step::Gather(_) => self.exits(step, ["done", "completed_with_errors"]),
            Step::Join(_) => self.exits(step, ["done"]),
            Step::End(_) => Vec::new(),
        };
        Some(StepPlan { id: Arc::clone(step.id()), exits, kind })
    }

    fn kind(&mut self, step: &Step, path: &str) -> Option<StepKind> {
        Some(match step {
            Step::Node(node) => {
                let Some(def) = self.document.node_defs.iter().position(|def| def.name == node.node) else {
                    self.problem(
                        IssueCode::UnknownNodeDef,
                        &format!("{path}.node"),
                        format!("unknown node def '{}'", node.node),
                    );
                    return None;
                };
                let contract = &self.document.node_defs[def];
                let seconds = node.timeout_seconds.or(contract.timeout_seconds);
                StepKind::Node(NodePlan {
                    def: u32::try_from(def).ok()?,
                    input: CompiledBindings::compile(&node.input),
                    writes: self.outputs(&node.output, &format!("{path}.output"))?,
                    retry: node.retry.clone().or_else(|| contract.retry.clone()),
                    // A limit too long for a duration is no limit.
                    timeout: seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
                })
            }
            Step::Condition(condition) => StepKind::Condition(condition.check.clone()),
            Step::Join(_) => StepKind::Join,
            Step::End(end) => {
                let Some(outcome) = position_of(&self.document.outcomes, &end.outcome) else {
                    let message = format!("workflow outcome '{}' is not declared", end.outcome);
                    self.problem(IssueCode::UndeclaredWorkflowOutcome, &format!("{path}.outcome"), message);
                    return None;
                };
                StepKind::End(OutcomeIx::next(outcome))
            }
            Step::Interrupt(interrupt) => StepKind::Interrupt(Box::new(InterruptPlan {
                request: CompiledBindings::compile(&interrupt.request),
                writes: self.outputs(&interrupt.resume, &format!("{path}.resume"))?,
                request_schema: self.schema(&interrupt.request_schema, &format!("{path}.request_schema"))?,
                resume_schema: self.schema(&interrupt.resume_schema, &format!("{path}.resume_schema"))?,
                document: interrupt.clone(),
            })),
            Step::Subgraph(subgraph) => StepKind::Subgraph(Box::new(self.subgraph(subgraph, path)?)),
            Step::Foreach(foreach) => {
                let serial = foreach.mode == ForeachMode::Serial;
                let limits = foreach.concurrent.as_ref().filter(|_| !serial);
                StepKind::Foreach(Box::new(ForeachPlan {
                    over: foreach.over.clone(),
                    alias: Arc::clone(&foreach.alias),
                    serial,
                    max_active: limits.map_or(1, |limits| limits.max_active),
                    max_outstanding: limits.map_or(1, |limits| limits.max_outstanding),
                    action: foreach.item_error.action,
                    collect_to: foreach.item_error.collect_to.as_ref().map(|path| self.layout.target(path)),
                }))
            }
            Step::Fork(fork) => {
                let gather = self
                    .document
                    .nodes
                    .iter()
                    .position(|step| matches!(step, Step::Gather(gather) if gather.fork == fork.id));
                StepKind::Fork(ForkPlan { gather: gather.map(StepIx::next) })
            }
            Step::Gather(gather) => StepKind::Gather(GatherPlan {
                fork: self.find(&gather.fork, &format!("{path}.of"))?,
                wait: gather.wait,
                action: gather.branch_error.action,
                collect_to: gather.branch_error.collect_to.as_ref().map(|path| self.layout.target(path)),
            }),
        })
    }

    fn subgraph(&mut self, step: &SubgraphStep, path: &str) -> Option<SubgraphPlan> {
        let child = *self.compiler.numbers.get(&step.workflow.to_string())?;
        let outcomes = &self.compiler.sources[child.at()].document.outcomes;
        let exit_of_outcome =
            outcomes.iter().map(|outcome| position_of(&step.outcomes, outcome).map(ExitIx::next)).collect();
        Some(SubgraphPlan {
            child,
            exit_of_outcome,
            input: CompiledBindings::compile(&step.input),
            writes: self.outputs(&step.output, &format!("{path}.output"))?,
            input_schema: self.schema(&step.input_schema, &format!("{path}.input_schema"))?,
            output_schema: self.schema(&step.output_schema, &format!("{path}.output_schema"))?,
        })
    }
}
