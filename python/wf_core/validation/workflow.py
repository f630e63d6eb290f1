"""The validation of a workflow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from _wf._native.core import validation_issues
from wf_core.validation.issues import ValidationIssue, ValidationIssueCode, ValidationReport, ValidationSeverity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wf_core.models import Workflow
    from wf_core.reducers import ReducerDefinition
    from wf_core.runtime import PreparedSubgraph

__all__ = ["report_of", "validate_workflow"]


def validate_workflow(
    workflow: Workflow,
    reducers: Mapping[str, ReducerDefinition] | None = None,
    subgraphs: Mapping[str, PreparedSubgraph[Any] | Workflow] | None = None,
) -> ValidationReport:
    """Check whether everything a workflow names exists and every outcome leads somewhere.

    Args:
        workflow: The document.
        reducers: Custom reducers by name; without them only the names of built-in reducers' fields are unchecked.
        subgraphs: Child workflows by the display of their reference; without them subgraph steps are unchecked.

    Returns:
        All issues at once, in document order.

    Example:
        >>> from wf_core import Workflow
        >>> report = validate_workflow(
        ...     Workflow.model_validate(
        ...         {
        ...             "name": "demo",
        ...             "input_schema": {},
        ...             "state_schema": {},
        ...             "output_schema": {},
        ...             "start": "met",
        ...             "nodes": [{"id": "meet", "type": "join"}],
        ...             "edges": [{"from": "meet", "outcome": "done", "to": "__end__"}],
        ...         }
        ...     )
        ... )
        >>> print(report.errors[0])
        [unknown_start] start: unknown start node 'met'
    """
    return report_of(validation_issues(workflow, reducers, subgraphs))


def report_of(issues: list[tuple[str, str, str, str, str | None]]) -> ValidationReport:
    """Return the report of issues as the engine lists them."""
    return ValidationReport(
        issues=[
            ValidationIssue(ValidationIssueCode(code), path, message, ValidationSeverity(severity), hint)
            for code, path, message, severity, hint in issues
        ]
    )
