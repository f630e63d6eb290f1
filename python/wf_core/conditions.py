"""Conditions on their own, outside of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from _wf._native.core import eval_condition
from wf_core.errors import PathResolutionError, WorkflowExecutionError
from wf_core.models.conditions import PathOperand
from wf_core.paths import resolve_graph_path

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wf_core.models.conditions import Operand

__all__ = ["eval_condition", "resolve_operand", "safe_resolve_path"]


def safe_resolve_path(
    path: str,
    *,
    state: Mapping[str, Any],
    workflow_input: Mapping[str, Any],
    context: Mapping[str, Any],
) -> Any:
    """Return what a path holds.

    Raises:
        WorkflowExecutionError: The path is none, or holds nothing.
    """
    try:
        return resolve_graph_path(path, state=state, workflow_input=workflow_input, context=context)
    except PathResolutionError as error:
        raise WorkflowExecutionError(error.message, code=error.code, path=error.path) from error


def resolve_operand(
    operand: Operand,
    *,
    state: Mapping[str, Any],
    workflow_input: Mapping[str, Any],
    context: Mapping[str, Any],
) -> Any:
    """Return the value of one side of a comparison.

    Raises:
        WorkflowExecutionError: It is a path that holds nothing.
    """
    if isinstance(operand, PathOperand):
        return safe_resolve_path(str(operand.path), state=state, workflow_input=workflow_input, context=context)
    return operand.value
