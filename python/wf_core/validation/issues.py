"""What a validation finds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from wf_core.errors import WorkflowValidationError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["ValidationIssue", "ValidationIssueCode", "ValidationReport", "ValidationSeverity"]


class ValidationIssueCode(StrEnum):
    """What kind of issue it is."""

    DUPLICATE_NODE_DEF = "duplicate_node_def"
    """A second node contract has the same name."""
    DUPLICATE_NODE_ID = "duplicate_node_id"
    """A second step has the same id."""
    UNKNOWN_START = "unknown_start"
    """The start is no step."""
    DUPLICATE_EDGE = "duplicate_edge"
    """A second edge leaves a step with the same outcome."""
    UNKNOWN_EDGE_SOURCE = "unknown_edge_source"
    """An edge comes from no step."""
    UNKNOWN_EDGE_DESTINATION = "unknown_edge_destination"
    """An edge leads to no step."""
    UNDECLARED_EDGE_OUTCOME = "undeclared_edge_outcome"
    """An edge leaves a step with an outcome that the step does not have."""
    MISSING_OUTCOME_EDGE = "missing_outcome_edge"
    """An outcome of a reachable step leads nowhere."""
    UNDECLARED_WORKFLOW_OUTCOME = "undeclared_workflow_outcome"
    """The workflow may end with an outcome that it does not declare."""
    UNKNOWN_NODE_DEF = "unknown_node_def"
    """A step uses a node without a contract."""
    INVALID_NODE_INPUT_FIELD = "invalid_node_input_field"
    """An input binding fills a field that the payload does not have, or fills one twice."""
    INVALID_SOURCE_PATH = "invalid_source_path"
    """A binding reads a field that does not exist."""
    INVALID_NODE_OUTPUT_FIELD = "invalid_node_output_field"
    """An output binding reads a field that the output does not have."""
    INVALID_WORKFLOW_OUTPUT_FIELD = "invalid_workflow_output_field"
    """A workflow output binding fills a field that the output does not have, or fills one twice."""
    INVALID_DESTINATION_PATH = "invalid_destination_path"
    """An output binding writes a field that the state does not have, or writes one twice."""
    EMPTY_CONDITION_ARGS = "empty_condition_args"
    """An `and` or `or` has no arguments."""
    INVALID_CONDITION_PATH = "invalid_condition_path"
    """A condition reads a field that does not exist."""
    INVALID_FOREACH_SOURCE = "invalid_foreach_source"
    """A foreach reads its list from a field that does not exist."""
    INVALID_FOREACH_COLLECT_DESTINATION = "invalid_foreach_collect_destination"
    """A foreach collects failures into something else than a list in the state."""
    INVALID_INTERRUPT_SOURCE = "invalid_interrupt_source"
    """An interrupt's request reads a field that does not exist."""
    INVALID_INTERRUPT_DESTINATION = "invalid_interrupt_destination"
    """An interrupt's answer is written to a field that the state does not have, or twice to one."""
    INVALID_INTERRUPT_REQUEST_FIELD = "invalid_interrupt_request_field"
    """An interrupt's request fills a field twice."""
    RESERVED_NODE_ID = "reserved_node_id"
    """A step has an id that is reserved."""
    DUPLICATE_OUTCOME = "duplicate_outcome"
    """A list names an outcome twice."""
    EMPTY_OUTCOME = "empty_outcome"
    """An outcome is blank."""
    NO_OUTCOMES = "no_outcomes"
    """A step that needs outcomes has none."""
    UNKNOWN_REDUCER = "unknown_reducer"
    """A state field names a reducer that does not exist."""
    INVALID_REDUCER_CONFIG = "invalid_reducer_config"
    """A state field configures its reducer wrongly."""
    INVALID_SCHEMA = "invalid_schema"
    """A schema cannot be used."""
    UNKNOWN_SUBGRAPH = "unknown_subgraph"
    """A subgraph step names a workflow that does not exist."""
    UNDECLARED_SUBGRAPH_OUTCOME = "undeclared_subgraph_outcome"
    """A child workflow may end with an outcome that the subgraph step does not declare."""
    IMPOSSIBLE_SUBGRAPH_OUTCOME = "impossible_subgraph_outcome"
    """A subgraph step declares an outcome with which the child workflow never ends."""
    RECURSIVE_SUBGRAPH = "recursive_subgraph"
    """A workflow runs itself as a subgraph, directly or through others."""
    INVALID_FOREACH_ALIAS = "invalid_foreach_alias"
    """A loop's alias cannot be used or is in use."""
    UNKNOWN_FORK = "unknown_fork"
    """A gather names no fork."""
    DUPLICATE_GATHER = "duplicate_gather"
    """A second gather names the same fork."""
    INVALID_GATHER_WAIT = "invalid_gather_wait"
    """A gather waits for more branches than there are."""
    INVALID_GATHER_COLLECT_DESTINATION = "invalid_gather_collect_destination"
    """A gather collects failures into something else than a list in the state."""
    GATHER_OUTSIDE_FORK = "gather_outside_fork"
    """A gather is reached by something else than a branch of its fork."""
    BRANCH_NEVER_ARRIVES = "branch_never_arrives"
    """A branch can neither reach its gather nor an end."""
    EDGE_LEAVES_REGION = "edge_leaves_region"
    """An edge leaves a loop body or a branch for a step outside of it, or enters one from outside."""
    UNREACHABLE_STEP = "unreachable_step"
    """A step is never reached."""
    ENDLESS_CYCLE = "endless_cycle"
    """From a step no end can be reached."""


class ValidationSeverity(StrEnum):
    """How serious an issue is."""

    ERROR = "error"
    """The workflow cannot be run."""
    WARNING = "warning"
    """The workflow can be run, but is probably not what was meant."""


@dataclass(frozen=True, slots=True)
class ValidationIssue:
    """One thing that does not fit.

    Attributes:
        code: What kind of issue.
        path: Where, for example `nodes[3].input[0].target`.
        message: What is wrong.
        severity: How serious.
        hint: What to do about it.
    """

    code: ValidationIssueCode
    path: str
    message: str
    severity: ValidationSeverity = ValidationSeverity.ERROR
    hint: str | None = None

    def __str__(self) -> str:
        """The issue as one line."""
        return f"[{self.code}] {self.path}: {self.message}"


class ValidationReport:
    """Everything that a validation found, in document order.

    Attributes:
        issues: Errors and warnings.
    """

    __slots__ = ("issues",)

    def __init__(
        self,
        errors: Iterable[ValidationIssue] = (),
        *,
        issues: Iterable[ValidationIssue] | None = None,
    ) -> None:
        """Make a report of errors, or of issues of any severity."""
        self.issues: list[ValidationIssue] = list(errors if issues is None else issues)

    @property
    def errors(self) -> list[ValidationIssue]:
        """The issues that keep the workflow from running."""
        return [issue for issue in self.issues if issue.severity is ValidationSeverity.ERROR]

    @property
    def warnings(self) -> list[ValidationIssue]:
        """The issues that do not."""
        return [issue for issue in self.issues if issue.severity is ValidationSeverity.WARNING]

    @property
    def ok(self) -> bool:
        """Whether there are no errors."""
        return not self.errors

    def add(
        self,
        code: ValidationIssueCode,
        path: str,
        message: str,
        *,
        severity: ValidationSeverity = ValidationSeverity.ERROR,
        hint: str | None = None,
    ) -> None:
        """Add an issue."""
        self.issues.append(ValidationIssue(code, path, message, severity, hint))

    def raise_for_errors(self) -> None:
        """Raise when there are errors.

        Raises:
            WorkflowValidationError: With one line per error, and this report.
        """
        errors = self.errors
        if errors:
            lines = ["Workflow validation failed:", *(f"- {error}" for error in errors)]
            raise WorkflowValidationError("\n".join(lines), path=errors[0].path, report=self)

    def __eq__(self, other: object) -> bool:
        """Compare the issues."""
        return self.issues == other.issues if isinstance(other, ValidationReport) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Show all issues, hints included."""
        return f"ValidationReport(issues={self.issues!r})"

    def __str__(self) -> str:
        """All issues, one per line, with their hints."""
        lines = []
        for issue in self.issues:
            lines.append(f"{issue.severity} {issue}")
            if issue.hint is not None:
                lines.append(f"  hint: {issue.hint}")
        return "\n".join(lines)
