//! The outcome of a validation.

use std::fmt;

crate::text_enum! {
    /// What kind of issue it is.
    #[non_exhaustive]
    pub enum IssueCode {
        /// A second node contract has the same name.
        DuplicateNodeDef = "duplicate_node_def",
        /// A second step has the same id.
        DuplicateNodeId = "duplicate_node_id",
        /// The start is no step.
        UnknownStart = "unknown_start",
        /// A second edge leaves a step with the same outcome.
        DuplicateEdge = "duplicate_edge",
        /// An edge comes from no step.
        UnknownEdgeSource = "unknown_edge_source",
        /// An edge leads to no step.
        UnknownEdgeDestination = "unknown_edge_destination",
        /// An edge leaves a step with an outcome that the step does not have.
        UndeclaredEdgeOutcome = "undeclared_edge_outcome",
        /// An outcome of a reachable step leads nowhere.
        MissingOutcomeEdge = "missing_outcome_edge",
        /// The workflow may end with an outcome that it does not declare.
        UndeclaredWorkflowOutcome = "undeclared_workflow_outcome",
        /// A step uses a node without a contract.
        UnknownNodeDef = "unknown_node_def",
        /// An input binding fills a field that the payload does not have, or fills one twice.
        InvalidNodeInputField = "invalid_node_input_field",
        /// A binding reads a field that does not exist.
        InvalidSourcePath = "invalid_source_path",
        /// An output binding reads a field that the output does not have.
        InvalidNodeOutputField = "invalid_node_output_field",
        /// A workflow output binding fills a field that the output does not have, or fills one twice.
        InvalidWorkflowOutputField = "invalid_workflow_output_field",
        /// An output binding writes a field that the state does not have, or writes one twice.
        InvalidDestinationPath = "invalid_destination_path",
        /// An `and` or `or` has no arguments.
        EmptyConditionArgs = "empty_condition_args",
        /// A condition reads a field that does not exist.
        InvalidConditionPath = "invalid_condition_path",
        /// A foreach reads its list from a field that does not exist.
        InvalidForeachSource = "invalid_foreach_source",
        /// A foreach collects failures into something else than a list in the state.
        InvalidForeachCollectDestination = "invalid_foreach_collect_destination",
        /// An interrupt's request reads a field that does not exist.
        InvalidInterruptSource = "invalid_interrupt_source",
        /// An interrupt's answer is written to a field that the state does not have, or twice to one.
        InvalidInterruptDestination = "invalid_interrupt_destination",
        /// An interrupt's request fills a field twice.
        InvalidInterruptRequestField = "invalid_interrupt_request_field",
        /// A step has an id that is reserved.
        ReservedNodeId = "reserved_node_id",
        /// A list names an outcome twice.
        DuplicateOutcome = "duplicate_outcome",
        /// An outcome is blank.
        EmptyOutcome = "empty_outcome",
        /// A step that needs outcomes has none.
        NoOutcomes = "no_outcomes",
        /// A state field names a reducer that does not exist.
        UnknownReducer = "unknown_reducer",
        /// A state field configures its reducer wrongly.
        InvalidReducerConfig = "invalid_reducer_config",
        /// A schema cannot be used.
        InvalidSchema = "invalid_schema",
        /// A subgraph step names a workflow that does not exist.
        UnknownSubgraph = "unknown_subgraph",
        /// A child workflow may end with an outcome that the subgraph step does not declare.
        UndeclaredSubgraphOutcome = "undeclared_subgraph_outcome",
        /// A subgraph step declares an outcome with which the child workflow never ends.
        ImpossibleSubgraphOutcome = "impossible_subgraph_outcome",
        /// A workflow runs itself as a subgraph, directly or through others.
        RecursiveSubgraph = "recursive_subgraph",
        /// A loop's alias cannot be used or is in use.
        InvalidForeachAlias = "invalid_foreach_alias",
        /// A gather names no fork.
        UnknownFork = "unknown_fork",
        /// A second gather names the same fork.
        DuplicateGather = "duplicate_gather",
        /// A gather waits for more branches than there are.
        InvalidGatherWait = "invalid_gather_wait",
        /// A gather collects failures into something else than a list in the state.
        InvalidGatherCollectDestination = "invalid_gather_collect_destination",
        /// A gather is reached by something else than a branch of its fork.
        GatherOutsideFork = "gather_outside_fork",
        /// A branch can neither reach its gather nor an end.
        BranchNeverArrives = "branch_never_arrives",
        /// An edge leaves a loop body or a branch for a step outside of it, or enters one from outside.
        EdgeLeavesRegion = "edge_leaves_region",
        /// A step is never reached.
        UnreachableStep = "unreachable_step",
        /// From a step no end can be reached.
        EndlessCycle = "endless_cycle",
    }
}

crate::text_enum! {
    /// How serious an issue is.
    pub enum Severity {
        /// The workflow cannot be run.
        Error = "error",
        /// The workflow can be run, but is probably not what was meant.
        Warning = "warning",
    }
}

/// One thing that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// What kind of issue.
    pub code: IssueCode,
    /// How serious.
    pub severity: Severity,
    /// Where, for example `nodes[3].input[0].target`.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// Everything that a validation found, in document order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ValidationReport {
    /// Errors and warnings.
    pub issues: Vec<Issue>,
}

impl ValidationReport {
    /// Adds an issue.
    pub fn add(
        &mut self,
        severity: Severity,
        code: IssueCode,
        path: impl Into<String>,
        message: impl Into<String>,
        hint: Option<String>,
    ) {
        self.issues.push(Issue { code, severity, path: path.into(), message: message.into(), hint });
    }

    /// The issues that keep the workflow from running.
    pub fn errors(&self) -> impl Iterator<Item = &Issue> {
        self.issues.iter().filter(|issue| issue.severity == Severity::Error)
    }

    /// The issues that do not.
    pub fn warnings(&self) -> impl Iterator<Item = &Issue> {
        self.issues.iter().filter(|issue| issue.severity == Severity::Warning)
    }

    /// Whether there are no errors.
    pub fn ok(&self) -> bool {
        self.errors().next().is_none()
    }

    /// The errors as one text, one line each.
    pub fn render(&self) -> String {
        let mut text = String::from("Workflow validation failed:");
        for issue in self.errors() {
            text.push_str("\n- ");
            text.push_str(&issue.to_string());
        }
        text
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "[{}] {}: {}", self.code, self.path, self.message)
    }
}

impl fmt::Display for ValidationReport {
    /// All issues, warnings and hints included.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, issue) in self.issues.iter().enumerate() {
            if index > 0 {
                formatter.write_str("\n")?;
            }
            write!(formatter, "{} {issue}", issue.severity)?;
            if let Some(hint) = &issue.hint {
                write!(formatter, "\n  hint: {hint}")?;
            }
        }
        Ok(())
    }
}
